// The values of parameters as the query history keeps them, back in the fields of a tab.
import type { WholeLoggedRun } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { updateTab, useStore } from '../../state/store.ts';
import { isQueryTab, PARAMETER_TYPES, type ParameterEntry, type QueryTab } from '../tabs/query.ts';

/** Values of which only the beginning was kept are asked for again. */
export function loggedEntries(parameters: WholeLoggedRun['parameters']): Readonly<Record<string, ParameterEntry>> {
  const isType = (type: string): type is ParameterEntry['type'] => PARAMETER_TYPES.some((known) => known === type);
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, { type, text, isCut }]) =>
      isType(type) && !isCut ? [[name, { type, text }]] : [],
    ),
  );
}

/**
 * Fills the fields of a tab that were not edited with the values of the last run of this text, which the user sees before the text runs
 * again.
 */
export async function recallParameters(tabId: string, sql: string): Promise<void> {
  // If the history cannot be read there is nothing to recall, and the fields are asked for as they are.
  const logged = await client.call('queryLog.parameters', { sql }).catch(() => ({}));
  const tab = useStore.getState().tabs.find(({ id }) => id === tabId);
  if (isQueryTab(tab)) updateTab<QueryTab>(tabId, { parameters: { ...loggedEntries(logged), ...tab.parameters } });
}
