// What fields of delimited text are usually set apart by, as choices of a form.

export const DELIMITERS = [
  [',', 'Comma'],
  [';', 'Semicolon'],
  ['\t', 'Tab'],
  ['|', 'Vertical bar'],
  [' ', 'Space'],
] as const;
