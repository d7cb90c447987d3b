// Readable names of foreign key values: the readable columns of the rows they refer to, for those that are listed.
import { useEffect, useState } from 'react';
import type { ColumnProfile, DatabaseId, ForeignKey, NamedValue, Value } from '#shared/protocol/index.ts';
import { client } from '../../../connection/database-client.ts';
import { readableText } from '../../../workbench/cells/key-offers.ts';
import { valueKey } from './value-key.ts';

/** Empty until names are known, and for values that refer to no row. */
export function useValueNames(
  database: DatabaseId,
  column: string,
  reference: ForeignKey | null,
  profile: ColumnProfile | null,
): (value: Value) => string {
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const listed = (reference && profile?.top) ?? [];
  const unknown = listed.map(({ value }) => value).filter((value) => value !== null && !names.has(valueKey(value)));
  const asked = unknown.map(valueKey).join('\n');
  const referenceKey = JSON.stringify(reference);
  useEffect(() => {
    if (!reference || unknown.length === 0) return;
    const controller = new AbortController();
    const { signal } = controller;
    client.call('parent.names', { database, reference, column, values: unknown }, { signal }).then(
      (named) => {
        if (signal.aborted) return;
        const found = named.map((each) => [valueKey(each.value), nameText(each)] as const);
        // Values that refer to no row are not requested again.
        const none = unknown.map((value) => [valueKey(value), ''] as const);
        setNames((before) => new Map([...before, ...none, ...found]));
      },
      () => undefined, // The values say enough without names.
    );
    return () => controller.abort();
    // oxlint-disable-next-line react/exhaustive-deps -- the texts say whether the list or the reference is another
  }, [database, column, referenceKey, asked]);
  return (value) => names.get(valueKey(value)) ?? '';
}

/** A column of a composite key may refer to several rows. */
function nameText({ names, hasMore }: NamedValue): string {
  const texts = [...new Set(names.map(readableText))].filter((text) => text !== '');
  return [...texts, ...(hasMore ? ['others'] : [])].join(' or ');
}
