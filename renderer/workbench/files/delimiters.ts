// Common delimiters of text fields, as choices in a form.

export const DELIMITERS = [
  [',', 'Comma'],
  [';', 'Semicolon'],
  ['\t', 'Tab'],
  ['|', 'Vertical bar'],
  [' ', 'Space'],
] as const;
