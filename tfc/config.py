"""Switches and facts about where code runs."""

from __future__ import annotations

from typing import NamedTuple

from .context import settings


class PhysicalDevice(NamedTuple):
    """A device that the machine has."""

    name: str
    device_type: str


def run_functions_eagerly(run_eagerly: bool) -> None:
    """Whether functions made by `tfc.function` run op by op, as plain Python."""
    from tfc.backends.cpu import runtime

    runtime.set_active(int(bool(run_eagerly)) - int(settings.functions_run_eagerly))
    settings.functions_run_eagerly = bool(run_eagerly)


def functions_run_eagerly() -> bool:
    """Whether functions run op by op."""
    return settings.functions_run_eagerly


def list_physical_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The devices that code can run on."""
    devices = [PhysicalDevice("/physical_device:CPU:0", "CPU")]
    return [d for d in devices if device_type in (None, d.device_type)]
