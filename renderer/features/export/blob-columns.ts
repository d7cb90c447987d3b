// Whether an export is likely to have BLOBs, judging by the declared types.
import { useEffect, useState } from 'react';
import type { Column, DatabaseId, ExportSource } from '#shared/protocol/index.ts';
import { affinityOf } from '#shared/ddl/affinity.ts';
import { client } from '../../connection/database-client.ts';

/** Other types with NUMERIC affinity, such as IMAGE, are often used for BLOBs. */
const NUMERIC_TYPE = /NUM|DEC|DATE|TIME|BOOL|BIT|MONEY|CURRENCY/;

/** SQLite can store a BLOB in any column that is not STRICT, but that is rare. */
export function mayHoldBlobs(columns: readonly Pick<Column, 'declaredType'>[]): boolean {
  return columns.some(({ declaredType }) => {
    const affinity = affinityOf(declaredType, true);
    return affinity === 'BLOB' || (affinity === 'NUMERIC' && !NUMERIC_TYPE.test(declaredType.toUpperCase()));
  });
}

/** True for everything but one table, and for that one until its columns are known. */
export function useMayHoldBlobs(database: DatabaseId, source: ExportSource): boolean {
  const table = source.kind === 'table' ? source.table : null;
  const [known, setKnown] = useState<{ readonly table: string; readonly mayHold: boolean } | null>(null);
  useEffect(() => {
    if (table === null) return;
    client.call('schema.table', { database, table }).then(
      ({ columns }) => setKnown({ table, mayHold: mayHoldBlobs(columns) }),
      () => undefined, // the preview says why the table cannot be read
    );
  }, [database, table]);
  return known === null || known.table !== table || known.mayHold;
}
