// The row of a form: its values, kept up to date, and its position among the rows that the form moves through.
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { visibleName } from '#shared/visible-text.ts';
import type { Value } from '#shared/protocol/index.ts';
import type { CachedRow } from '../../grid/rows/row-cache.ts';
import { notifyFailure } from '../../state/databases.ts';
import { notify, setTabStatus, updateTab } from '../../state/store.ts';
import type { FormTab } from '../../workbench/tabs/form.ts';
import { LatestCall } from '../../workbench/latest-call.ts';
import { keyNamesOf } from '../../workbench/rows/key-names.ts';
import { useLiveQuery } from '../../workbench/rows/live-query.ts';
import type { TableSource } from '../../workbench/rows/table-source.ts';

export interface FormRow {
  /** The previous one while the next is being read; null if there is none. */
  readonly row: CachedRow | null;
  readonly state: 'reading' | 'here' | 'gone' | 'none' | 'failed';
  readonly problem: string | null;
  /** Position from 0; null while it is unknown, or if the row is not among these rows. */
  readonly position: number | null;
  go(step: -1 | 1 | 'first' | 'last'): Promise<void>;
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

function useUnsaved(source: TableSource | null, row: CachedRow | null): CachedRow | null {
  const subscribe = useCallback((listener: () => void) => source?.subscribe(listener) ?? (() => undefined), [source]);
  return useSyncExternalStore(subscribe, () => (source && row ? source.unsaved.shown(row) : row));
}

export function useFormRow(tab: FormTab, source: TableSource | null): FormRow {
  const { key, id, database } = tab;
  const sql = source && key && source.info.key.kind !== 'none' ? rowSql(source) : null;
  const live = useLiveQuery(database, sql, key ?? [], { limitMs: null });
  const [shown, setShown] = useState(live);
  if (live.isRead && live !== shown) setShown(live);
  const [isEmpty, setEmpty] = useState(false);
  const position = usePosition(source, key);
  const goTo = async (wanted: number): Promise<void> => {
    if (!source) return;
    const found = await keyAt(source, Math.max(0, wanted));
    if (found) updateTab<FormTab>(id, { key: found });
    setEmpty(found === null && wanted === 0);
  };
  const go: FormRow['go'] = async (step) => {
    const { extent } = source ?? { extent: { rows: 0 } };
    const from = position.last;
    // A row that is no longer among these rows has been replaced at its position by the next one.
    const next = position.at === null ? from : from + 1;
    const wanted = step === 'first' ? 0 : step === 'last' ? extent.rows - 1 : step === 1 ? next : from - 1;
    await goTo(wanted).catch(notifyFailure);
  };
  useEffect(() => {
    if (key !== null || !source) return;
    let isCurrent = true;
    keyAt(source, 0).then((first) => {
      if (!isCurrent) return;
      setEmpty(first === null);
      if (first) updateTab<FormTab>(id, { key: first });
    }, notifyFailure);
    return () => void (isCurrent = false);
  }, [key, source, id]);
  useEffect(() => {
    if (source) setTabStatus(id, { rows: position.rows, exact: position.exact });
  }, [source, id, position.rows, position.exact]);

  const row = useUnsaved(source, shown.rows[0]?.packed ?? null);
  const isHere = live.isRead && live.rows.length > 0;
  const state = isHere
    ? 'here'
    : live.status === 'failed'
      ? 'failed'
      : live.isRead
        ? 'gone'
        : isEmpty
          ? 'none'
          : 'reading';
  return {
    row: state === 'here' || state === 'reading' ? row : null,
    state,
    problem: live.why,
    position: position.at,
    go,
  };
}

/** The packed columns of the table's reader, so that cells have the same indexes in both. */
function rowSql(source: TableSource): string {
  const { info, hiddenColumns, detail } = source;
  const key = keyNamesOf(source);
  const hidden = key.slice(0, hiddenColumns).map((name) => `${quote(name)} AS ${quote(info.columns[0]!.name)}`);
  const names = info.columns.slice(hiddenColumns).map(({ name }) => quote(name));
  const condition = key.map((name) => `${quote(name)} = ?`).join(' AND ');
  return `SELECT ${[...hidden, ...names].join(', ')} FROM main.${quote(detail.name)} WHERE ${condition}`;
}

async function keyAt(source: TableSource, position: number): Promise<readonly Value[] | null> {
  const page = await source.read(position, 1);
  if (page.rows.rowCount === 0) return null;
  const key = source.keyOf(new PackedRowsReader(page.rows), 0);
  if (key === null)
    notify({
      tone: 'info',
      text: `The key of this row of ${visibleName(source.detail.name)} is too long to show the row as a form.`,
    });
  return key;
}

interface Position {
  readonly at: number | null;
  readonly last: number;
  readonly rows: number;
  readonly exact: boolean;
}

/** Looks for the row again whenever rows may have come, gone, or moved. */
function usePosition(source: TableSource | null, key: readonly Value[] | null): Position {
  const [found, setFound] = useState<Position>({ at: null, last: 0, rows: 0, exact: false });
  useEffect(() => {
    if (!source || !key) return;
    const latest = new LatestCall();
    const look = (): void => {
      latest
        .run(() => source.find(key))
        .then((answer) => {
          const { rows, exact } = source.extent;
          if (answer) setFound(({ last }) => ({ at: answer.value, last: answer.value ?? last, rows, exact }));
        })
        .catch(() => undefined); // the connection was lost, or the row has no place: it is shown without one
    };
    look();
    const stop = source.subscribe(look);
    return () => {
      stop();
      latest.stop();
    };
  }, [source, key]);
  return found;
}
