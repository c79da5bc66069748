"""The commands of the box that belong to no other part: functions over the kernel's use cases."""
