"""verb: makes a function a command that has the shared options and ends with an exit code, never with a traceback."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import update_wrapper
from typing import TypeVar, cast, get_type_hints

import typer

from reverie.doors.cli import options
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.output import abandon_stdout, abandon_stdout_if_full
from reverie.errors import ReverieError

Function = TypeVar("Function", bound=Callable[..., Code])

_SHARED: dict[str, object] = {
    "bank": options.Bank,
    "agent": options.AgentId,
    "unencrypted": options.Unencrypted,
    "keyring": options.Keyring,
    "as_json": options.AsJson,
}

_FLAGS = ("unencrypted", "keyring", "as_json")


def verb(
    app: typer.Typer, name: str | None, *, shared: tuple[str, ...] = tuple(_SHARED)
) -> Callable[[Function], Function]:
    """Registers ``function(door, …)`` as a command; without a ``name`` as what the group ``app`` does by itself.

    Its further parameters are read by typer, a dataclass (see ``groups``) as an option a field; the shared
    options come after them.
    """

    def register(function: Function) -> Function:
        own = list(inspect.signature(function, eval_str=True).parameters.values())[1:]
        flat = [each for parameter in own for each in _flat(parameter)]
        context = _keyword("context", typer.Context, inspect.Parameter.empty)
        added = [_keyword(key, _SHARED[key], False if key in _FLAGS else None) for key in shared]

        def command(**given: object) -> Code:
            context = cast(typer.Context, given.pop("context"))
            after = {key: given.pop(key) for key in shared}
            door = Door.of(context.obj or {}, after)
            if context.invoked_subcommand is not None:
                context.obj = (
                    door.options
                )  # what stands between the group's name and the command's counts for it
                return Code.DONE
            values = {parameter.name: _gathered(parameter, given) for parameter in own}
            return guarded(door, lambda: function(door, **values))

        update_wrapper(command, function)
        del command.__wrapped__  # type: ignore[attr-defined]  # else its signature would be read instead
        parameters = [context, *flat, *added]
        command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        about = reflowed(function.__doc__ or "")
        if name is None:
            app.callback(invoke_without_command=True, help=about)(command)
        else:
            app.command(name, help=about)(command)
        return function

    return register


def reflowed(text: str) -> str:
    """A docstring as help: lines of a paragraph flow together, for the terminal to wrap; set-in lines stay."""
    paragraphs = inspect.cleandoc(text).split("\n\n")
    return "\n\n".join(
        part if part.startswith(" ") or "\n " in part else part.replace("\n", " ") for part in paragraphs
    )


def guarded(door: Door, run: Callable[[], Code]) -> Code:
    """Runs a command; what may go wrong for its user becomes a message and an exit code."""
    try:
        door.check()
        code = run()
        door.out.flush()
        return code
    except ReverieError as error:
        return door.out.refuse(error)
    except KeyboardInterrupt:
        return door.out.fail("Interrupted", "interrupted; what was acknowledged is stored", Code.INTERRUPTED)
    except BrokenPipeError:
        abandon_stdout()
        return Code.DONE
    except OSError as error:
        place = f" ({error.filename})" if error.filename else ""
        abandon_stdout_if_full()
        return door.out.fail(type(error).__name__, f"{error.strerror or error}{place}", Code.NO_BANK)


def _flat(parameter: inspect.Parameter) -> list[inspect.Parameter]:
    group = parameter.annotation
    if not is_dataclass(group):
        return [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)]
    hints = get_type_hints(group, include_extras=True)
    return [_keyword(field.name, hints[field.name], field.default) for field in fields(group)]


def _gathered(parameter: inspect.Parameter, given: Mapping[str, object]) -> object:
    group = parameter.annotation
    if not is_dataclass(group):
        return given[parameter.name]
    assert isinstance(group, type)
    return group(**{field.name: given[field.name] for field in fields(group)})


def _keyword(name: str, annotation: object, default: object) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default)
