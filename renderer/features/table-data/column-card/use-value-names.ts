// What the values of a foreign key stand for: the readable columns of the rows they refer to, for those that are listed.
import { useEffect, useState } from 'react';
import type { ColumnProfile, DatabaseId, ForeignKey, Value } from '#shared/protocol/index.ts';
import { client } from '../../../connection/database-client.ts';
import { readableParts } from '../../../workbench/key-offers.ts';
import { valueKey } from './value-key.ts';

/** The table and column that a foreign key of one column refers to. */
export interface NamingKey {
  readonly table: string;
  readonly key: string;
}

/** Null if several columns belong to the key: a value alone refers to no row then. */
export function namingKey(reference: ForeignKey | null | undefined): NamingKey | null {
  const [only, more] = reference?.columns ?? [];
  return reference && only && !more && only.to !== null ? { table: reference.table, key: only.to } : null;
}

/** Empty until names are known, and for values that refer to no row. */
export function useValueNames(
  database: DatabaseId,
  naming: NamingKey | null,
  profile: ColumnProfile | null,
): (value: Value) => string {
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const listed = (naming && profile?.top) ?? [];
  const unknown = listed.map(({ value }) => value).filter((value) => value !== null && !names.has(valueKey(value)));
  const asked = unknown.map(valueKey).join('\n');
  useEffect(() => {
    if (!naming || unknown.length === 0) return;
    let isCurrent = true;
    client.call('parent.names', { database, ...naming, values: unknown }).then(
      (rows) => {
        if (!isCurrent) return;
        const found = rows.map((row) => [valueKey(row.key[0]!), readableParts(row).join(', ')] as const);
        // Those that refer to no row are not asked about again.
        const none = unknown.map((value) => [valueKey(value), ''] as const);
        setNames((before) => new Map([...before, ...none, ...found]));
      },
      () => undefined, // The values say enough without names.
    );
    return () => void (isCurrent = false);
    // oxlint-disable-next-line react/exhaustive-deps -- the text says whether the list is another
  }, [database, naming?.table, naming?.key, asked]);
  return (value) => names.get(valueKey(value)) ?? '';
}
