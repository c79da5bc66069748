"""What Qwen Code sends is read as it was recorded, and its time-outs are in its own unit."""

from __future__ import annotations

import json
from pathlib import Path

from hardwon.kernel.harness import HarnessMoment
from hardwon_command_hooks.conformance import CommandHookConformance
from hardwon_qwen.adapter import Qwen


class TestQwen(CommandHookConformance):
    harness = Qwen
    fixtures = Path(__file__).parent / "fixtures"
    units_per_second = 1000
    folder_variable = "QWEN_HOME"
    all_hooks_off = '{"disableAllHooks": true}'

    def test_a_prompt_that_it_repeats_after_a_tool_is_empty(self) -> None:
        """It fires the same event after each result of a tool; there is nothing to recall for then."""
        again = Qwen().parse(json.loads((self.fixtures / "UserPromptSubmit.2.json").read_bytes()))
        assert again is not None
        assert (again.moment, again.prompt) == (HarnessMoment.PROMPT, "")
