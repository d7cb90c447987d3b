// The names that a new table cannot have, and that an earlier choice may refer to.
import { knownSchema } from '../../state/schema.ts';

/** Names of all tables and views; none if the schema cannot be read. */
export async function tableNames(database: string): Promise<readonly string[]> {
  const schema = await knownSchema(database).catch(() => null);
  return (schema?.objects ?? []).filter(({ kind }) => kind !== 'index' && kind !== 'trigger').map(({ name }) => name);
}
