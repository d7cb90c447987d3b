// Reads and edits CREATE VIRTUAL TABLE … USING rtree statements (sqlite.org/rtree.html).
import { addArgument, dropArgument, nameIn, parseVirtual, setArgument } from './edit-virtual.ts';
import { writeName } from './names.ts';
import type { VirtualTableModel } from './object-models.ts';

export interface RTreeColumn {
  readonly name: string;
  /** Type of an auxiliary column: what follows the name. */
  readonly type: string;
  /** Index of its argument in the statement. */
  readonly index: number;
}

export interface RTreeModel {
  readonly statement: VirtualTableModel;
  /** Coordinates are 32-bit integers instead of 32-bit floats. */
  readonly integers: boolean;
  readonly id: RTreeColumn | null;
  /** Smallest and greatest value by turns. */
  readonly coordinates: readonly RTreeColumn[];
  /** Stored beside the coordinates, and not searched by. */
  readonly auxiliary: readonly RTreeColumn[];
}

export const MOST_DIMENSIONS = 5;

/** Null for a table of another module. */
export function rtreeOf(statement: VirtualTableModel): RTreeModel | null {
  const module = statement.module.name.toLowerCase();
  if (module !== 'rtree' && module !== 'rtree_i32') return null;
  const all = statement.arguments.map(({ part, column }, index) => ({
    name: column ?? part.sql,
    type: nameIn(part.sql)?.rest.trim() ?? '',
    index,
    isAuxiliary: part.sql.startsWith('+'),
  }));
  const [id = null, ...coordinates] = all.filter(({ isAuxiliary }) => !isAuxiliary);
  const auxiliary = all.filter(({ isAuxiliary }) => isAuxiliary);
  return { statement, integers: module === 'rtree_i32', id, coordinates, auxiliary };
}

/** Columns in the order in which SQLite has them. */
export function columnsOfRTree({ id, coordinates, auxiliary }: RTreeModel): readonly RTreeColumn[] {
  return [...(id === null ? [] : [id]), ...coordinates, ...auxiliary];
}

export function addDimension({ statement, coordinates }: RTreeModel, least: string, greatest: string): string {
  const at = (coordinates.at(-1)?.index ?? 0) + 1;
  const first = parseVirtual(addArgument(statement, at, writeName(least)));
  return addArgument(first, at + 1, writeName(greatest));
}

export function dropDimension({ statement, coordinates }: RTreeModel, dimension: number): string {
  const [least, greatest] = [coordinates[2 * dimension]!, coordinates[2 * dimension + 1]];
  if (greatest === undefined) return dropArgument(statement, least.index);
  return dropArgument(parseVirtual(dropArgument(statement, greatest.index)), least.index);
}

export function addAuxiliary({ statement }: RTreeModel, name: string): string {
  return addArgument(statement, statement.arguments.length, `+${writeName(name)}`);
}

export function dropAuxiliary({ statement, auxiliary }: RTreeModel, at: number): string {
  return dropArgument(statement, auxiliary[at]!.index);
}

export function setAuxiliaryType({ statement, auxiliary }: RTreeModel, at: number, type: string): string {
  const { index } = auxiliary[at]!;
  const { before, name } = nameIn(statement.arguments[index]!.part.sql)!;
  return setArgument(statement, index, `${before}${name}${type.trim() === '' ? '' : ` ${type.trim()}`}`);
}
