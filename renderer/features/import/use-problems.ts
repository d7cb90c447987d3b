// Reads the rows that an import rejected, and saves them.
import { useEffect, useState } from 'react';
import { toAppError } from '#shared/protocol/index.ts';
import type { ImportProblem } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { notifyFailure } from '../../state/databases.ts';
import { notify } from '../../state/store.ts';
import { plural } from '../../ui/format.ts';
import { chooseExportTarget } from '../../workbench/files/export-format.ts';
import type { Outcome } from './import-view.ts';
import { ProblemList } from './problem-list.ts';

const PAGE = 1000;
const CSV = { extension: 'csv', label: 'CSV' } as const;

/** Read again for each import; null while they are read. */
export function useProblems({ database, id, lines, format }: Outcome): {
  readonly list: ProblemList | null;
  readonly error: string | null;
} {
  const [state, setState] = useState<{ readonly id: string; list: ProblemList | null; error: string | null } | null>(
    null,
  );
  useEffect(() => {
    let isWanted = true;
    readProblems({ database, id, lines, format }).then(
      (list) => isWanted && setState({ id, list, error: null }),
      (thrown: unknown) => isWanted && setState({ id, list: null, error: toAppError(thrown).message }),
    );
    return () => void (isWanted = false);
  }, [database, id, lines, format]);
  return state?.id === id ? state : { list: null, error: null };
}

/** Reads all rows that were kept. */
async function readProblems({
  database,
  id,
  ...numbering
}: Pick<Outcome, 'database' | 'id' | 'lines' | 'format'>): Promise<ProblemList> {
  const all: ImportProblem[] = [];
  for (;;) {
    const { columns, problems } = await client.call('import.problems', {
      database,
      id,
      offset: all.length,
      limit: PAGE,
    });
    all.push(...problems);
    if (problems.length < PAGE) return new ProblemList(columns, all, numbering);
  }
}

export async function saveProblems({ table }: Outcome, list: ProblemList): Promise<void> {
  const target = await chooseExportTarget(CSV, `${table} not imported`, 'not-imported');
  if (!target) return;
  try {
    await client.call('export.bytes', { sink: target.token, bytes: new TextEncoder().encode(list.csv()) });
    notify({ tone: 'success', text: `${plural(list.records.length, 'row')} saved to ${target.fileName}.` });
  } catch (thrown) {
    notifyFailure(thrown);
  }
}
