-- Quotations: where an essence stands word for word (JSON, store/rows.py).
ALTER TABLE memories ADD COLUMN quoted text;
