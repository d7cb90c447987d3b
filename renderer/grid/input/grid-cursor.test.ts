import { beforeEach, expect, test } from 'vitest';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { GridSource } from '../grid-source.ts';
import { rowsOfPage } from '../rows/row-cache.ts';
import type { CachedRow } from '../rows/row-cache.ts';
import { GridCursor } from './grid-cursor.ts';
import { cursorOf, extendTo, selectCell } from './selection.ts';

/** Rows on screen, all of which are watched. */
let here: readonly CachedRow[];
/** Key of the row that {@link answer} tells the position of. */
let wanted: number | null;
let answer: (position: number | null) => void;
let searches: number;
let draftPosition: number;
let cursor: GridCursor;

const rowsOf = (names: readonly number[]): CachedRow[] => {
  const writer = new PackedRowsWriter(1);
  for (const name of names) writer.integer(name);
  return rowsOfPage(writer.finish());
};
const keyOf = ({ rows, index }: CachedRow): number => rows.number(index, 0);
const at = (row: number, displayIndex = 0) => selectCell({ row, displayIndex });
const rowOf = (): number => cursorOf(cursor.selection).row;

beforeEach(() => {
  here = rowsOf([10, 11, 12, 13, 14]);
  [wanted, searches, draftPosition] = [null, 0, -1];
  const source = {
    keyColumns: [0],
    locate: (row: CachedRow) => {
      wanted = keyOf(row);
      return new Promise<number | null>((resolve) => (answer = resolve));
    },
  } as Partial<GridSource> as GridSource;
  const space = {
    bounds: { rows: 1_000, displayColumns: 3 },
    get draftPosition() {
      return draftPosition;
    },
    row: (position: number) => here[position] ?? null,
  };
  cursor = new GridCursor(space, source, {
    onMoved: () => undefined,
    onSearch: (search) => {
      searches++;
      void search.then(() => searches--);
    },
  });
});

function become(now: readonly number[]): void {
  const before = here;
  const origins = Int32Array.from(now, (key) => before.findIndex((row) => keyOf(row) === key));
  here = now.map((key, index) => before[origins[index]!] ?? rowsOf([key])[0]!);
  cursor.patched({ start: 0, before, after: here, origins, kept: origins });
}

/** An editor in the second row, in which Enter was pressed: its new text moves the row out of what is shown. */
function storeInSecondRow(): void {
  cursor.put(at(1), true);
  cursor.beginEdit(1);
  cursor.noteRowBelow();
}

test('Enter goes to the row that was below, whether the edited row leaves before or after its text is known to be stored', () => {
  for (const isEarly of [true, false]) {
    become([10, 11, 12, 13, 14]);
    storeInSecondRow();
    if (isEarly) become([10, 12, 13, 14]);
    const { isThere, below } = cursor.endEdit();
    expect(isThere).toBe(true);
    cursor.putOn(below!);
    if (!isEarly) become([10, 12, 13, 14]);
    expect(rowOf()).toBe(1);
    expect(keyOf(here[rowOf()]!)).toBe(12);
  }
});

test('the row below keeps the cursor when the edited one is found elsewhere', async () => {
  storeInSecondRow();
  become([10, 12, 13, 14]);
  expect(wanted).toBe(11);
  const { below } = cursor.endEdit();
  cursor.putOn(below!);
  answer(700);
  await expect.poll(() => searches).toBe(0);
  expect(rowOf()).toBe(1);
});

test('a click on the row that has come to the place of the edited one stays there', async () => {
  storeInSecondRow();
  become([10, 12, 13, 14]);
  cursor.put(at(1), true);
  expect(cursor.endEdit().isThere).toBe(false);
  answer(700);
  await expect.poll(() => searches).toBe(0);
  expect(rowOf()).toBe(1);
  become([9, 10, 12, 13, 14]);
  expect(rowOf()).toBe(2);
});

test('Tab stays in the edited row, which is found before other keys are handled', async () => {
  storeInSecondRow();
  become([10, 12, 13, 14]);
  cursor.endEdit();
  cursor.put(at(1, 1), false);
  expect(searches).toBe(1);
  answer(700);
  await expect.poll(() => searches).toBe(0);
  expect(cursorOf(cursor.selection)).toEqual({ row: 700, displayIndex: 1 });
});

test('the page to which a row has moved may show another row there', async () => {
  cursor.put(at(1), true);
  expect(cursor.isLoaded).toBe(true);
  become([10, 12, 13, 14]);
  answer(3);
  await expect.poll(rowOf).toBe(3);
  expect(cursor.isLoaded).toBe(false);
  here = rowsOf([10, 12, 13, 11]);
  expect(cursor.isLoaded).toBe(true);
});

test('a corner that stays keeps its row when the other one is put elsewhere', async () => {
  cursor.put(at(1), true);
  become([10, 12, 13, 14]);
  cursor.put(extendTo(cursor.selection, { row: 1, displayIndex: 2 }), true);
  answer(700);
  await expect.poll(() => searches).toBe(0);
  const [{ from, to }] = cursor.selection.ranges;
  expect([from.row, to.row]).toEqual([700, 1]);
});

test('there is no row below the last one', () => {
  cursor.put(at(999), true);
  cursor.beginEdit(999);
  cursor.noteRowBelow();
  expect(cursor.endEdit()).toEqual({ isThere: true, below: null });
});

test('an editor whose row others have deleted says so', async () => {
  cursor.put(at(1), true);
  cursor.beginEdit(1);
  become([10, 12, 13, 14]);
  expect(cursor.editedRow?.isGone).toBe(false);
  answer(null);
  await expect.poll(() => cursor.editedRow?.isGone).toBe(true);
});

test('the draft row moves with the number of rows, and is not taken for one of them', () => {
  draftPosition = 5;
  cursor.extentChanged();
  cursor.put(at(5), true);
  cursor.beginEdit(5);
  draftPosition = 4;
  become([10, 12, 13, 14]);
  expect(rowOf()).toBe(4);
  expect(cursor.editedRow).toMatchObject({ position: 4, isGone: false });
  cursor.changed(null);
  expect(searches).toBe(0);
  draftPosition = 6;
  become([8, 9, 10, 12, 13, 14]);
  expect(rowOf()).toBe(6);
  expect(cursor.editedRow!.position).toBe(6);
});
