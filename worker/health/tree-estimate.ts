// About how many pages a b-tree has, from a few of them: random ways from its root to its leaves (Knuth, “Estimating the efficiency of
// backtrack programs”, 1975). The bytes may come from a hostile file, or be older than what SQLite sees: what makes no sense ends it.
// Page format: sqlite.org/fileformat2.html#b_tree_pages.

/** The bytes of a page, numbered from 1; null where there are none. */
export type ReadPage = (page: number) => Uint8Array | null;

const MAX_DEPTH = 20;
const WAYS = 12;

const Type = { indexInterior: 2, tableInterior: 5, indexLeaf: 10, tableLeaf: 13 } as const;
const TYPES: ReadonlySet<number> = new Set(Object.values(Type));

/** @param usable bytes of a page that SQLite uses. Returns null when the number cannot be estimated. */
export function estimatePages(read: ReadPage, root: number, usable: number, random: () => number): number | null {
  const pages = new Map<number, TreePage | null>();
  const pageAt = (number: number): TreePage | null => {
    const known = pages.get(number);
    if (known !== undefined) return known;
    const bytes = read(number);
    const page = bytes && parsePage(bytes, number === 1 ? 100 : 0, usable);
    pages.set(number, page);
    return page;
  };
  let sum = 0;
  for (let way = 0; way < WAYS; way++) {
    // Children of the root differ most, the last one above all: each way begins in a part of its own.
    const found = oneWay(pageAt, root, (way + random()) / WAYS, random);
    if (found === null) return null;
    if (found.isExact) return found.pages;
    sum += found.pages;
  }
  return Math.max(1, Math.round(sum / WAYS));
}

function oneWay(
  pageAt: (number: number) => TreePage | null,
  root: number,
  first: number,
  random: () => number,
): { readonly pages: number; readonly isExact: boolean } | null {
  let [number, weight, pages] = [root, 1, 0];
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const page = pageAt(number);
    if (!page) return null;
    pages += weight * (1 + page.overflowPages);
    if (page.isLeaf) return { pages, isExact: depth === 0 };
    const child = page.childAt(Math.floor((depth === 0 ? first : random()) * page.children));
    if (child === null) return null;
    weight *= page.children;
    number = child;
  }
  return null;
}

interface TreePage {
  readonly isLeaf: boolean;
  readonly children: number;
  readonly overflowPages: number;
  childAt(index: number): number | null;
}

function parsePage(bytes: Uint8Array, at: number, usable: number): TreePage | null {
  const type = bytes[at] ?? 0;
  if (!TYPES.has(type)) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLeaf = type === Type.indexLeaf || type === Type.tableLeaf;
  const cells = view.getUint16(at + 3);
  const pointers = at + (isLeaf ? 8 : 12);
  if (pointers + cells * 2 > bytes.length) return null;
  const cellAt = (index: number): number => view.getUint16(pointers + index * 2);
  let overflowPages = 0;
  if (type !== Type.tableInterior)
    for (let index = 0; index < cells; index++) {
      const payload = varint(bytes, cellAt(index) + (isLeaf ? 0 : 4));
      if (payload === null) return null;
      overflowPages += overflowOf(payload, usable, type === Type.tableLeaf);
    }
  return {
    isLeaf,
    children: isLeaf ? 0 : cells + 1,
    overflowPages,
    childAt(index) {
      const place = index === cells ? at + 8 : cellAt(index);
      return place + 4 <= bytes.length ? view.getUint32(place) : null;
    },
  };
}

/** sqlite.org/fileformat2.html#cell_payload_overflow_pages */
function overflowOf(payload: number, usable: number, isTable: boolean): number {
  const most = isTable ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  if (payload <= most) return 0;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const local = least + ((payload - least) % (usable - 4));
  return Math.ceil((payload - (local <= most ? local : least)) / (usable - 4));
}

function varint(bytes: Uint8Array, at: number): number | null {
  let value = 0;
  for (let index = 0; index < 8; index++) {
    const byte = bytes[at + index];
    if (byte === undefined) return null;
    value = value * 128 + (byte & 127);
    // No payload is larger than 2^31 bytes.
    if (value > 2 ** 31) return null;
    if (byte < 128) return value;
  }
  return null;
}
