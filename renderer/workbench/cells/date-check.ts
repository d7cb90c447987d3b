// A date that does not exist is stored only when the user confirms that: SQLite would take it for NULL.
import { whyImpossible } from '#shared/dates.ts';
import type { EditOutcome } from '../../grid/editing/cell-editing.ts';
import { isDateType } from '../../grid/paint/special-display.ts';

/** Stores a typed text, or asks first if the column holds dates and the text is an impossible one. */
export function storeChecked(
  text: string,
  declaredType: string,
  store: (text: string) => Promise<EditOutcome>,
): Promise<EditOutcome> {
  const why = isDateType(declaredType) ? whyImpossible(text) : null;
  if (why === null) return store(text);
  return Promise.resolve({
    kind: 'failed',
    message: `${why} The value was not saved.`,
    choices: [{ label: 'Save anyway', run: store }],
  });
}
