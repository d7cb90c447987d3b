// Counts the values that are not in the file as they are in the database, and says so in sentences.

const LOSSES = {
  invalidText: [
    'text is not valid UTF-8. It was written as a BLOB.',
    'texts are not valid UTF-8. They were written as BLOBs.',
  ],
  nulText: [
    'text contains a NUL character. Many programs stop reading there.',
    'texts contain NUL characters. Many programs stop reading there.',
  ],
  guarded: ['text got an apostrophe from the formula guard.', 'texts got an apostrophe from the formula guard.'],
  longText: [
    'text was cut: a cell of a spreadsheet holds at most 32,767 characters.',
    'texts were cut: a cell of a spreadsheet holds at most 32,767 characters.',
  ],
  controlText: [
    'text contains control characters that XML cannot hold. They were left out.',
    'texts contain control characters that XML cannot hold. They were left out.',
  ],
  blankLine: [
    'row is an empty line, because its only value is NULL. Some programs skip empty lines.',
    'rows are empty lines, because their only value is NULL. Some programs skip empty lines.',
  ],
  replacedText: [
    'text contains U+FFFD. If it is not valid UTF-8 in the file, the native engine has read it that way.',
    'texts contain U+FFFD. If they are not valid UTF-8 in the file, the native engine has read them that way.',
  ],
} as const;

type Loss = keyof typeof LOSSES;

export class Losses {
  readonly #counts = new Map<Loss, number>();

  note(loss: Loss): void {
    this.#counts.set(loss, (this.#counts.get(loss) ?? 0) + 1);
  }

  get sentences(): string[] {
    return Array.from(
      this.#counts,
      ([loss, count]) => `${count.toLocaleString('en-US')} ${LOSSES[loss][count === 1 ? 0 : 1]}`,
    );
  }
}
