// The names a new table cannot have, and those an earlier choice may mean.
import { knownSchema } from '../../state/schema.ts';

/** Of all tables and views; none where the schema cannot be read. */
export async function tableNames(database: string): Promise<readonly string[]> {
  const schema = await knownSchema(database).catch(() => null);
  return (schema?.objects ?? []).filter(({ kind }) => kind !== 'index' && kind !== 'trigger').map(({ name }) => name);
}
