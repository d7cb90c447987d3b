// The values of a column, counted while the card of the column is open.
import { useEffect, useRef, useState } from 'react';
import { toAppError, type AppError } from '#shared/protocol/errors.ts';
import type { ColumnProfile, ColumnProfileChunk, ForeignKey, Progress } from '#shared/protocol/index.ts';
import { client } from '../../../connection/database-client.ts';
import { scanOf } from '../../../workbench/rows/scan-consent.ts';
import type { TableTab } from '../../../workbench/tabs/table.ts';
import { withEntries } from '../filter-entries.ts';

export interface CountedColumn {
  /** Results so far; null until the first rows are counted. */
  readonly profile: ColumnProfile | null;
  /** Null when it is not running: complete, stopped, or failed. */
  readonly progress: Progress | null;
  readonly isStopped: boolean;
  readonly error: AppError | null;
  /** What a server would read, in sentences, if the user has to agree to that first. */
  readonly cost: string | null;
  stop(): void;
  agree(): void;
}

const NOTHING = { profile: null, progress: null, isStopped: false, error: null, cost: null } as const;
const BEGUN: Progress = { phase: 'Counting', done: 0, total: null, unit: 'rows' };

/**
 * @param reference of the column: a text is searched for in the referenced rows, too
 * @param search only values that contain this text; '' for all. Filters on the column itself are left out
 */
export function useColumnProfile(
  tab: TableTab,
  column: string,
  reference: ForeignKey | null,
  search: string,
): CountedColumn {
  const { database, table } = tab;
  const { filter, where } = tab.view;
  const [counted, setCounted] = useState<Omit<CountedColumn, 'stop' | 'agree'>>(NOTHING);
  /** The searches for which the server may read the table, as long as the card is open. */
  const [agreed, setAgreed] = useState<ReadonlySet<string>>(new Set());
  const mayScan = agreed.has(search);
  const referenceKey = JSON.stringify(reference);
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
    const params = { database, table, column, filter: ofOthers };
    const options = {
      ...(where !== '' && { where }),
      ...(search !== '' && { search: { text: search, reference } }),
      ...(mayScan && { mayScan }),
    };
    client.call('column.profile', { ...params, ...options }, { signal, onChunk }).then(
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
    // oxlint-disable-next-line react/exhaustive-deps -- the text says whether the reference is another
  }, [database, table, column, referenceKey, filter, where, search, mayScan]);
  return {
    ...counted,
    stop: () => running.current?.abort(),
    agree: () => setAgreed((before) => new Set(before).add(search)),
  };
}
