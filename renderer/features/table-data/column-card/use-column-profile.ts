// The values of a column, counted while the card of the column is open.
import { useEffect, useRef, useState } from 'react';
import { toAppError } from '#shared/protocol/errors.ts';
import type { AppError } from '#shared/protocol/errors.ts';
import type {
  ColumnProfile,
  ColumnProfileChunk,
  DatabaseId,
  FilterEntry,
  FilterTerm,
  Progress,
} from '#shared/protocol/index.ts';
import { client } from '../../../connection/database-client.ts';
import { scanOf } from '../../../workbench/rows/scan-consent.ts';
import type { TableTab } from '../../../workbench/table-tabs.ts';
import { withEntries } from '../filter-entries.ts';
import type { NamingKey } from './use-value-names.ts';

export interface CountedColumn {
  /** What is known so far; null until the first rows are counted. */
  readonly profile: ColumnProfile | null;
  /** Null when it is not running: complete, stopped, or failed. */
  readonly progress: Progress | null;
  readonly isStopped: boolean;
  readonly error: AppError | null;
  /** What a server would read, in sentences, where somebody has to agree to that first. */
  readonly cost: string | null;
  stop(): void;
  agree(): void;
}

const NOTHING = { profile: null, progress: null, isStopped: false, error: null, cost: null } as const;
const BEGUN: Progress = { phase: 'Counting', done: 0, total: null, unit: 'rows' };

/**
 * @param naming what the values refer to: a text is looked for there, too
 * @param search only values that contain this text; '' for all. What filters by the column itself is left out
 */
export function useColumnProfile(
  tab: TableTab,
  column: string,
  naming: NamingKey | null,
  search: string,
): CountedColumn {
  const { database, table } = tab;
  const { filter, where } = tab.view;
  const [counted, setCounted] = useState<Omit<CountedColumn, 'stop' | 'agree'>>(NOTHING);
  /** The searches for which the server may read the table, as long as the card is open. */
  const [agreed, setAgreed] = useState<ReadonlySet<string>>(new Set());
  const mayScan = agreed.has(search);
  const running = useRef<AbortController | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    running.current = controller;
    const ofOthers = withEntries(filter, column, []);
    setCounted((before) => ({ ...NOTHING, profile: before.profile, progress: BEGUN }));
    const isCurrent = (): boolean => running.current === controller;
    const onChunk = (chunk: ColumnProfileChunk): void => {
      if (isCurrent()) setCounted({ ...NOTHING, ...chunk });
    };
    searchedFor(database, column, naming, search, signal)
      .then((found) => {
        const params = { database, table, column, filter: [...ofOthers, ...found] };
        const options = { ...(where !== '' && { where }), ...(mayScan && { mayScan }) };
        return client.call('column.profile', { ...params, ...options }, { signal, onChunk });
      })
      .then(
        (profile) => isCurrent() && setCounted({ ...NOTHING, profile }),
        (thrown: unknown) => {
          if (!isCurrent()) return;
          const error = toAppError(thrown);
          const cost = scanOf(error);
          if (cost !== null) return setCounted({ ...NOTHING, cost });
          setCounted(({ profile }) =>
            error.code === 'stopped' ? { ...NOTHING, profile, isStopped: true } : { ...NOTHING, profile, error },
          );
        },
      );
    return () => {
      running.current = null;
      controller.abort();
    };
    // oxlint-disable-next-line react/exhaustive-deps -- the parts of `naming` say whether it is another
  }, [database, table, column, naming?.table, naming?.key, filter, where, search, mayScan]);
  return {
    ...counted,
    stop: () => running.current?.abort(),
    agree: () => setAgreed((before) => new Set(before).add(search)),
  };
}

/** Values that contain the text, or refer to a row in which it is found. */
async function searchedFor(
  database: DatabaseId,
  column: string,
  naming: NamingKey | null,
  text: string,
  signal: AbortSignal,
): Promise<readonly FilterEntry[]> {
  if (text === '') return [];
  const contains: FilterTerm = { column, operator: 'contains', value: text };
  if (!naming) return [contains];
  const { table, key } = naming;
  const { rows } = await client.call('parent.search', { database, table, key: [key], text, current: null }, { signal });
  const values = rows.map((row) => row.key[0]!);
  return [values.length === 0 ? contains : { any: [[contains], [{ column, operator: 'in', value: null, values }]] }];
}
