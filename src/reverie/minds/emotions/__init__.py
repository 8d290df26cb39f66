"""The emotion classifier, inside the package: up to three labels for any text, no network, no key.

Trained by ``tools/train_emotions.py`` on GoEmotions' training split (Demszky et al. 2020); numpy does the
arithmetic, and the weights are read at the first text, not before.
"""

from __future__ import annotations

from reverie.minds.emotions.model import EmotionClassifier

__all__ = ["EmotionClassifier"]
