// A person's rows in temporary files: none stay when the app ends, and none of a killed one when it starts again.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { ImportTablesPage } from '../pages/import-tables-page.ts';
import { keepState } from '../support/kept-state.ts';
import { openShop } from '../support/shop-in-place.ts';

test(
  'what a killed app leaves of a file in place is gone after the next start, and a normal end leaves nothing',
  { tag: '@long' },
  async ({ idleApp }) => {
    const { other, view } = await openShop(idleApp);
    other.close();
    const scratch = (): string[] =>
      readdirSync(idleApp.temporary).filter((name) => name.startsWith('sidelite-scratch-'));
    const dump = join(idleApp.folder, 'orders.sql');
    writeFileSync(
      dump,
      "CREATE TABLE orders (id INTEGER PRIMARY KEY, note TEXT); INSERT INTO orders VALUES (1, 'secret');",
    );
    const importing = new ImportTablesPage(view);
    await importing.choose(idleApp, view, dump);
    await importing.read();
    const left = scratch();
    expect(left).toHaveLength(1);
    await keepState(view.page);
    await idleApp.kill();
    expect(scratch()).toEqual(left);
    const next = new AppWindow(await idleApp.start());
    await expect.poll(scratch).not.toContain(left[0]);
    // The tab comes back and reads the file again; as with every end of an app in these stories, nothing may be left then.
    await new ImportTablesPage(next).read();
    expect(scratch()).toHaveLength(1);
  },
);
