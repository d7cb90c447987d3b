// Cost of reading whole tables of a server, shown before the reading begins. No rows are counted for that.
import { useEffect, useState } from 'react';
import { capabilitiesOf, type DatabaseId } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { readCostText, type KnownCost } from './read-cost-text.ts';

/**
 * A sentence about all rows of these tables; empty for none, for few, and for other databases than those of a server.
 * @param server its name, where there are several
 */
export function useReadCost(
  database: DatabaseId | null,
  tables: readonly string[],
  server: string | null = null,
): string {
  const [cost, setCost] = useState<KnownCost | null>(null);
  const names = JSON.stringify(tables);
  useEffect(() => {
    let isOutdated = false;
    setCost(null);
    const asked = JSON.parse(names) as readonly string[];
    if (database === null || capabilitiesOf(database).freeReads || asked.length === 0) return;
    client.call('rows.cost', { database, tables: asked }).then(
      (known) => !isOutdated && setCost(known),
      // If there is a problem, reading the rows reports it.
      () => undefined,
    );
    return () => {
      isOutdated = true;
    };
  }, [database, names]);
  return cost === null ? '' : readCostText(cost, server);
}
