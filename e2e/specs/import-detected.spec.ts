// What is detected of a CSV file as spreadsheets write it, and what the user makes of that.
import { expect, test } from '../fixtures.ts';
import { expectValue, openShop, writeCsv } from '../support/import-shop.ts';

test('title rows filled up with empty cells are skipped, and empty cells in quotes can be NULL', async ({
  idleApp: app,
}) => {
  const { view, importing } = await openShop(app);
  const csv = '"Stock 2026","",""\n"","",""\n"id","name","kg"\n"1","ant","2"\n"2","bee",""\n"3","","4"\n';
  await importing.open(app, view, writeCsv(app, 'stock.csv', csv));
  await expect(importing.field('Lines to skip')).toHaveValue('2');
  await expect(importing.choices).toContainText('text in one cell at most, above the names of the columns');
  const kg = importing.column('kg');
  await expect(kg).toContainText('2 integers, 1 empty text in quotes (""): TEXT');
  await importing.field('Empty cells in quotes are NULL').check();
  await expect(kg).toContainText('2 integers: INTEGER');
  await expect(importing.preview.cell(1, 'kg')).toHaveText('NULL');
  await importing.run();
  await expectValue(
    view,
    'SELECT group_concat(id || quote(name) || quote(kg) || typeof(kg)) AS v FROM stock;',
    "1'ant'2integer,2'bee'NULLnull,3NULL4integer",
  );
});
