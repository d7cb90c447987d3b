// The rows that a foreign key can refer to, offered while one of its columns is edited.
import { toAppError } from '#shared/protocol/errors.ts';
import type {
  Column,
  DatabaseId,
  ForeignKey,
  FoundParent,
  ParentSearch,
  Progress,
  Value,
} from '#shared/protocol/index.ts';
import { visibleLine, visibleName, cut } from '#shared/visible-text.ts';
import { client } from '../../connection/database-client.ts';
import type { EditOutcome, OfferedValue } from '../../grid/editing/cell-editing.ts';
import { valueText } from '../../grid/input/value-text.ts';
import { plural } from '../../ui/format.ts';
import type { Suggestions } from '../../ui/suggested.ts';
import type { SuggestionSource } from '../../ui/suggestions.tsx';
import { literal } from '../held/held-sql.ts';

const SHOWN_CHARS = 80;

export interface OfferedKey {
  readonly database: DatabaseId;
  /** Declaration of the edited column; null if it is not known. */
  readonly declaration: Column | null;
  /** A sentence why another column of the key cannot be written, or null. */
  whyFixed(column: string): string | null;
  /** Value of the edited row; undefined while the row is not loaded completely. */
  valueOf(column: string): Value | undefined;
  /** Stores values by the names of columns. */
  choose(values: Readonly<Record<string, Value>>): Promise<EditOutcome>;
}

/** Null if the column has no foreign key that could be set. */
export function keyOffers(key: OfferedKey): SuggestionSource<OfferedValue> | null {
  const reference = key.declaration?.references;
  if (!reference || reference.columns.some(({ from, to }) => to === null || key.whyFixed(from) !== null)) return null;
  return {
    label: `Rows of ${visibleName(reference.table)}`,
    search: (text, onFound) => search(key, reference, text, onFound),
  };
}

function search(
  key: OfferedKey,
  reference: ForeignKey,
  text: string | null,
  onFound: (found: Suggestions<OfferedValue>) => void,
): () => void {
  const controller = new AbortController();
  const { database } = key;
  const values = reference.columns.map(({ from }) => key.valueOf(from));
  const isKnown = values.every((value) => value !== undefined && value !== null);
  const params = {
    database,
    table: reference.table,
    key: reference.columns.map(({ to }) => to!),
    text: text ?? '',
    current: isKnown ? (values as Value[]) : null,
  };
  let last: ParentSearch = { columns: [], rows: [], hasMore: false, byIndexOnly: false };
  const tell = (found: ParentSearch, note: string, isSearching: boolean): void => {
    last = found;
    onFound({ items: itemsOf(key, reference, found, text), note, isSearching });
  };
  client
    .call('parent.search', params, {
      signal: controller.signal,
      onChunk: (chunk) => tell(chunk, `${countLabel(chunk)} Searching${shareLabel(chunk.progress)}…`, true),
    })
    .then(
      (found) => tell(found, whereLabel(reference, found), false),
      (thrown: unknown) => {
        const error = toAppError(thrown);
        tell(last, error.code === 'stopped' ? `${countLabel(last)} Stopped.` : error.message, false);
      },
    );
  return () => controller.abort();
}

function itemsOf(
  key: OfferedKey,
  reference: ForeignKey,
  { rows }: ParentSearch,
  text: string | null,
): readonly OfferedValue[] {
  const { declaration } = key;
  const isNullOffered = declaration?.notNull === false && 'null'.startsWith((text ?? '').trim().toLowerCase());
  const none: OfferedValue = {
    id: 'null',
    parts: ['NULL', 'no row'],
    isNull: true,
    choose: () => key.choose({ [declaration?.name ?? '']: null }),
  };
  return [
    ...(isNullOffered ? [none] : []),
    ...rows.map((row) => ({
      id: row.key.map(literal).join(', '),
      parts: partsOf(row),
      choose: () =>
        key.choose(Object.fromEntries(reference.columns.map(({ from }, part) => [from, row.key[part] ?? null]))),
    })),
  ];
}

const wordsOf = (value: Value): string => visibleLine(cut(valueText(value), SHOWN_CHARS));

/** Values by which a person knows a row, besides its key. */
const readableParts = (shown: readonly Value[]): readonly string[] =>
  shown.filter((value) => value !== null && value !== '').map(wordsOf);

export const readableText = (shown: readonly Value[]): string => readableParts(shown).join(', ');

const partsOf = (row: FoundParent): readonly string[] => [row.key.map(wordsOf).join(', '), ...readableParts(row.shown)];

const countLabel = ({ rows, hasMore }: ParentSearch): string =>
  rows.length === 0 ? 'No rows yet.' : `${hasMore ? 'First ' : ''}${plural(rows.length, 'row')}.`;

const shareLabel = ({ done, total }: Progress): string =>
  total ? `, ${Math.round(Math.min(1, done / total) * 100)}%` : '';

/** The number of rows found, and the columns that were searched. */
function whereLabel({ table, columns }: ForeignKey, found: ParentSearch): string {
  const names = [...columns.map(({ to }) => to ?? ''), ...found.columns].map(visibleName).join(', ');
  const { rows, hasMore } = found;
  const count =
    rows.length === 0 ? 'No row' : hasMore ? `First ${plural(rows.length, 'row')}` : plural(rows.length, 'row');
  if (found.byIndexOnly) return `${count} of ${visibleName(table)}, found by index only`;
  return `${count} of ${visibleName(table)} by ${names}`;
}
