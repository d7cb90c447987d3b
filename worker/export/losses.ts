// Counts the values that differ between the file and the database, notes what else is missing, and reports both in sentences.

const LOSSES = {
  invalidText: [
    'text value is not valid UTF-8. It was written as a BLOB.',
    'text values are not valid UTF-8. They were written as BLOBs.',
  ],
  nulText: [
    'text value contains a NUL character. Many programs stop reading there.',
    'text values contain NUL characters. Many programs stop reading there.',
  ],
  guarded: [
    'text value got an apostrophe from the formula guard.',
    'text values got an apostrophe from the formula guard.',
  ],
  longText: [
    'text value was cut: a cell of a spreadsheet holds at most 32,767 characters.',
    'text values were cut: a cell of a spreadsheet holds at most 32,767 characters.',
  ],
  replacedText: [
    'text value contains U+FFFD. If it is not valid UTF-8 in the file, the native engine has read it like that.',
    'text values contain U+FFFD. If they are not valid UTF-8 in the file, the native engine has read them like that.',
  ],
  blankLine: [
    'row is an empty line, because its only value is NULL. Some programs skip empty lines.',
    'rows are empty lines, because their only value is NULL. Some programs skip empty lines.',
  ],
  blankRow: [
    'row has nothing but NULL, so it is empty. Spreadsheets and imports skip empty rows.',
    'rows have nothing but NULL, so they are empty. Spreadsheets and imports skip empty rows.',
  ],
  infinite: [
    'infinite REAL was written as text: a spreadsheet has no such number.',
    'infinite REALs were written as text: a spreadsheet has no such numbers.',
  ],
  otherDate: [
    'value of a column of dates was written as text: the statement returned something else when it ran again.',
    'values of columns of dates were written as text: the statement returned something else when it ran again.',
  ],
  refusedRow: [
    'row was left out: it violates a constraint of its own table.',
    'rows were left out: they violate constraints of their own tables.',
  ],
  longInteger: [
    'integer of more than 15 digits was written as text: a spreadsheet would round it.',
    'integers of more than 15 digits were written as text: a spreadsheet would round them.',
  ],
} as const;

type Loss = keyof typeof LOSSES;

export class Losses {
  readonly #counts = new Map<Loss, number>();
  readonly #said: string[] = [];

  note(loss: Loss, count = 1): void {
    this.#counts.set(loss, (this.#counts.get(loss) ?? 0) + count);
  }

  /** A sentence about one named object. */
  say(sentence: string): void {
    this.#said.push(sentence);
  }

  get sentences(): string[] {
    const counted = Array.from(
      this.#counts,
      ([loss, count]) => `${count.toLocaleString('en-US')} ${LOSSES[loss][count === 1 ? 0 : 1]}`,
    );
    return [...counted, ...this.#said];
  }
}
