"""What the generalizer brings to hardwon: the offline generalizer, the offline extractor, and `consolidate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.generalizer.actions import CONCEPTS, CONSOLIDATE
from hardwon.generalizer.backfill_action import BACKFILL
from hardwon.generalizer.evaluation.actions import BACKTEST, EVALUATE
from hardwon.generalizer.schedule.actions import ACTIONS as SCHEDULE
from hardwon.kernel.hookspecs import Register, hookimpl

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.ports import Extractor, Generalizer, LanguageModel, Timer
    from hardwon.kernel.settings import Settings


def _open_offline(home: Home) -> Generalizer:
    from hardwon.generalizer.model_tasks.generalizer import DraftingGeneralizer

    return DraftingGeneralizer(home)


@hookimpl
def register_generalizers(register: Register) -> None:
    """Offer the offline generalizer."""
    register("offline", _open_offline)


def _open_litellm(settings: Settings) -> LanguageModel:
    from hardwon.generalizer.language_models.litellm_model import open_language_model

    return open_language_model(settings)


@hookimpl
def register_language_models(register: Register) -> None:
    """Offer the language models of any provider; nothing is imported before one is asked."""
    register("litellm", _open_litellm)


def _open_extractor(home: Home) -> Extractor:
    from hardwon.generalizer.extraction.offline import OfflineExtractor

    return OfflineExtractor()


def _open_model_extractor(home: Home) -> Extractor:
    from hardwon.generalizer.extraction.by_model import ModelExtractor

    return ModelExtractor(home)


@hookimpl
def register_extractors(register: Register) -> None:
    """Offer the offline extractor, and the one that asks the user's language model too."""
    register("offline", _open_extractor)
    register("model", _open_model_extractor)


def _open_systemd() -> Timer:
    from hardwon.generalizer.schedule.systemd import SystemdTimer

    return SystemdTimer()


def _open_cron() -> Timer:
    from hardwon.generalizer.schedule.cron import CronTimer

    return CronTimer()


@hookimpl
def register_timers(register: Register) -> None:
    """Offer the timers of the system, the better one first."""
    register("systemd", _open_systemd)
    register("cron", _open_cron)


@hookimpl
def register_actions(register: Register) -> None:
    """Offer the commands."""
    register("consolidate", CONSOLIDATE)
    register("concepts", CONCEPTS)
    register("backfill", BACKFILL)
    register("evaluate", EVALUATE)
    register("backtest", BACKTEST)
    for name, action in SCHEDULE.items():
        register(name, action)
