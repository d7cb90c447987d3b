// What is detected of a CSV file as spreadsheets write it, and what the user makes of that.
import { expect, test } from '../fixtures.ts';
import { expectValue, openShop, writeCsv } from '../support/import-shop.ts';

/** By how many pixels a menu is too narrow for the option that it shows. */
function missingWidth(select: Element): number {
  const wide = select.cloneNode(true) as HTMLSelectElement;
  const shown = (select as HTMLSelectElement).selectedIndex;
  for (const [at, option] of [...wide.options].entries()) if (at !== shown) option.remove();
  wide.style.cssText = 'position: fixed; width: max-content; max-width: none;';
  select.after(wide);
  const missing = wide.offsetWidth - (select as HTMLSelectElement).offsetWidth;
  wide.remove();
  return missing;
}

test(
  'title rows filled up with empty cells are skipped, and empty cells in quotes can be NULL',
  { tag: '@long' },
  async ({ idleApp: app }) => {
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
  },
);

test(
  'numbers with thousands separators and dates are read as such where the user says how',
  { tag: '@long' },
  async ({ idleApp: app }) => {
    const { view, importing } = await openShop(app);
    const csv =
      'Sold;Due;Price;Parts\n1/2/2026;31/12/2026;1.234,50;1.234\n11/12/2026;1/2/2027;0,5;2.500\n;;1.000.000;12\n';
    await importing.open(app, view, writeCsv(app, 'sold.csv', csv));
    const [sold, due] = [importing.column('Sold'), importing.column('Due')];
    const [price, parts] = [importing.column('Price'), importing.column('Parts')];
    await expect(sold).toContainText('2 dates (DD/MM/YYYY or MM/DD/YYYY): TEXT, as they are written');
    await expect(due).toContainText('2 dates (DD/MM/YYYY, the only order that fits all): TEXT');
    await expect(price).toContainText('1 real, 2 numbers with thousands separators: TEXT');
    await expect(parts).toContainText('1 integer, 2 numbers like 1.234 (thousands or decimals): TEXT');
    await expect(importing.preview.cell(0, 'Price')).toHaveText('1.234,50');
    await expect(due.getByLabel('Values of Due').getByRole('option')).toHaveText([
      'As written',
      'Day first: 31/12/2026',
    ]);
    await sold.getByLabel('Values of Sold').selectOption('Month first: 12/31/2026');
    await due.getByLabel('Values of Due').selectOption('Day first: 31/12/2026');
    await price.getByLabel('Values of Price').selectOption('1.234,5 is 1234.5');
    await parts.getByLabel('Values of Parts').selectOption('1.234 is 1.234');
    await expect(parts.getByLabel('Type of Parts')).toHaveValue('NUMERIC');
    await expect(importing.preview.cell(1, 'Parts')).toHaveText('2.5');
    await parts.getByLabel('Values of Parts').selectOption('As written');
    await expect(parts.getByLabel('Type of Parts')).toHaveValue('TEXT');
    await parts.getByLabel('Values of Parts').selectOption('1.234 is 1234');
    await expect(importing.preview.cell(1, 'Parts')).toHaveText('2500');
    await expect(due).not.toContainText('as they are written');
    // The field of the reading says it; the mark is for SQL of one's own.
    await expect(due).not.toContainText('expression');
    await importing.run();
    await expectValue(
      view,
      "SELECT group_concat(ifnull(Sold || Due, '') || ' ' || Price || ' ' || Parts || typeof(Parts), '; ') AS v FROM sold;",
      '2026-01-022026-12-31 1234.5 1234integer; 2026-11-122027-02-01 0.5 2500integer;  1000000 12integer',
    );
  },
);

test(
  'two-digit years, times of day, and months before points are read where the user says so',
  { tag: '@long' },
  async ({ idleApp: app }) => {
    const { view, importing } = await openShop(app);
    const csv =
      'Born;Seen;Left;Paid\n31/12/69;31/12/2026 14:05;12/31/2026 2:05 PM;12.31.2026\n1/2/70;1/2/2027;1/2/2027 12:00 AM;01.02.2027\n';
    await importing.open(app, view, writeCsv(app, 'visits.csv', csv));
    await expect(importing.column('Seen')).toContainText('2 dates (');
    const label = (column: string) => importing.column(column).getByLabel(`Values of ${column}`);
    await expect(label('Born').getByRole('option')).toHaveText(['As written', 'Day first, 1970–2069']);
    await label('Born').selectOption('Day first, 1970–2069');
    await label('Seen').selectOption('Day first, with time');
    await label('Left').selectOption('Month first, with time');
    await label('Paid').selectOption('Month first: 12.31.2026');
    await expect(importing.preview.cell(0, 'Born')).toHaveText('2069-12-31');
    await expect(importing.preview.cell(1, 'Left')).toHaveText('2027-01-02 00:00');
    for (const column of ['Born', 'Seen', 'Left', 'Paid'])
      expect(await label(column).evaluate(missingWidth), column).toBeLessThanOrEqual(0);
    await importing.run();
    await expectValue(
      view,
      "SELECT group_concat(Born || ' ' || Seen || ' ' || Left || ' ' || Paid, '; ') AS v FROM visits;",
      '2069-12-31 2026-12-31 14:05 2026-12-31 14:05 2026-12-31; 1970-02-01 2027-02-01 2027-01-02 00:00 2027-01-02',
    );
  },
);

test('a file that is empty, or of which no row can be read, says so', { tag: '@long' }, async ({ idleApp: app }) => {
  const { view, importing } = await openShop(app);
  await importing.choose(app, view, writeCsv(app, 'deep.json', '['.repeat(5000)));
  await expect(importing.page.getByText(/^No row of this file can be read\. Row 1: /)).toBeVisible();
  await importing.choose(app, view, writeCsv(app, 'none.xlsx', ''));
  await expect(importing.page.getByText('“none.xlsx” is empty: it has no bytes.')).toBeVisible();
  await importing.choose(app, view, writeCsv(app, 'none.csv', ''));
  await expect(importing.choices).toContainText('The file is empty.');
  await expect(
    importing.page.getByText('There are no rows in this file, so there is nothing to import.'),
  ).toBeVisible();
});

test(
  'a file that is not what its name says is read as what it is, and says so',
  { tag: '@long' },
  async ({ idleApp: app }) => {
    const { importing, view } = await openShop(app);
    await importing.open(app, view, writeCsv(app, 'report.xlsx', 'id,name\n1,ant\n'));
    await expect(importing.choices).toContainText('The file is named .xlsx but contains text, so it is read as CSV.');
    await importing.choose(app, view, writeCsv(app, 'bill.csv', '%PDF-1.7\n1 0 obj\n'));
    await expect(importing.page.getByText('“bill.csv” is a PDF document.')).toBeVisible();
  },
);

test(
  'values that do not fit the column of an existing table are pointed out',
  { tag: '@long' },
  async ({ idleApp: app }) => {
    const { view, importing } = await openShop(app);
    await importing.open(app, view, writeCsv(app, 'items.csv', 'id,name,price\n7,dog,x\n8,eel,1.5\n'));
    await importing.field('Table').selectOption('item');
    await expect(importing.column('price')).toContainText('1 real, 1 other text. Not all of them are stored as REAL.');
    await expect(importing.column('id')).toContainText(/2 integers$/);
  },
);

test('a file that can be read in two ways shows both, and the other one is a key away', async ({ idleApp: app }) => {
  const { view, importing } = await openShop(app);
  await importing.open(app, view, writeCsv(app, 'years.csv', 'k,2019,2021\na,1,2\nb,3,4\n'));
  const readings = view.page.getByRole('group', { name: 'Ways to read this file' });
  const [names, data] = [/First line as names/, /First line as data/].map((name) =>
    readings.getByRole('radio', { name }),
  );
  await expect(names!).toBeChecked();
  await expect(data!).toHaveAccessibleDescription('Also possible: “2019” in the first line may be a value.');
  await names!.focus();
  await view.page.keyboard.press('ArrowRight');
  await expect(data!).toBeFocused();
  await expect(importing.preview.cell(0, 'column2')).toHaveText('2019');
  await view.page.keyboard.press('ArrowLeft');
  await expect(importing.preview.cell(0, '2019')).toHaveText('1');
  await data!.check();
  await importing.run();
  await expectValue(view, 'SELECT group_concat(column1 || column2) AS v FROM years;', 'k2019,a1,b3');
});
