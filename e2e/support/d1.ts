// Another client of a D1 database.

/** Runs statements in one batch, and returns the first value of each. */
export async function onD1(url: string, ...statements: readonly string[]): Promise<readonly unknown[]> {
  const body = JSON.stringify({ batch: statements.map((sql) => ({ sql, params: [] })) });
  const { result } = (await (await fetch(`${url}/raw`, { method: 'POST', body })).json()) as {
    readonly result: readonly { readonly results: { readonly rows: readonly (readonly unknown[])[] } }[];
  };
  return result.map(({ results }) => results.rows[0]?.[0]);
}
