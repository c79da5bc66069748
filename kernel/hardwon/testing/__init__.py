"""For those who write a part or a plugin: fakes of every port, and the suites that an implementation must pass.

fakes         a fake of each port, and `open_fake_home`: use cases are tested without any part
examples      values filled to the last field, and lessons that belong together
conformance   one pytest class a port: subclass it, give the fixture it asks for

`conformance` imports pytest, which a test run has anyway; nothing here is needed to run hardwon.
"""
