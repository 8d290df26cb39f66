"""Pictures, sounds and files, which have no words here: a short placeholder stands for each."""

from __future__ import annotations

from reverie.domain.text import normalized
from reverie.services.observe.shapes.fields import Fields, fields_of, pick

TEXTS = frozenset({"text", "input_text", "output_text", "voice_note"})
"""Types of parts that are text."""

_MEDIA = {
    "image": "image", "image_url": "image", "input_image": "image", "computer_screenshot": "image",
    "image-url": "image", "audio": "audio", "input_audio": "audio", "audio-url": "audio", "video": "video",
    "video_url": "video", "input_video": "video", "video-url": "video", "document": "document",
    "document-url": "document", "file": "file", "input_file": "file", "container_upload": "file",
    "uploaded-file": "file", "text-plain": "file", "media": "file", "binary": "file",
}  # fmt: skip
_NAMES = ("filename", "title", "display_name", "file_name")
_BY_TYPE = ("image", "audio", "video")
_LONGEST = 80


def placeholder(fields: Fields) -> str | None:
    """Return what stands for a part, such as ``[image]`` or ``[file: report.pdf]``; None if it is no such part."""
    kind = fields.get("type", fields.get("kind"))
    label = _MEDIA.get(kind) if isinstance(kind, str) else None
    return None if label is None else named(label, fields)


def named(label: str, fields: Fields) -> str:
    """Return a placeholder, with the file's name where the fields have one, and the kind that its MIME type tells."""
    for one in (fields, fields_of(fields.get("file")) or {}):
        mime = pick(one, "mime_type", "media_type", "_media_type")
        if label == "file" and isinstance(mime, str) and mime.startswith(_BY_TYPE):
            label = mime.partition("/")[0]
        name = pick(one, *_NAMES)
        if isinstance(name, str) and (line := " ".join(normalized(name).split())):
            return f"[{label}: {line[:_LONGEST]}]"
    return f"[{label}]"
