// Suppliers, categories, products with pictures, warehouses and their stock.
import { joined, crc32 } from '../records/bytes.ts';
import { dateOfDay, LAST_DAY, timeOfDay, type Fill, type Filler, type Row } from './filler.ts';
import { COLORS, DEPARTMENTS, MATERIALS, SERIES, SUPPLIER_KINDS, SUPPLIER_WORDS, WAREHOUSES } from './product-words.ts';
import type { Shelf } from './product-words.ts';
import type { Random } from '#shared/random.ts';

const PRODUCT_COUNT = 1200;
const SUPPLIER_COUNT = SUPPLIER_WORDS.length * SUPPLIER_KINDS.length;
const SUPPLIER_COUNTRIES = ['DE', 'FR', 'SE', 'GB', 'PL', 'JP'];

export interface Product {
  readonly id: number;
  readonly name: string;
  readonly priceCents: number;
}

/** Returns the products through `products`, for the orders to come. */
export function* fillCatalog(filler: Filler, random: Random, products: Product[]): Fill {
  yield* filler.write(
    'Suppliers',
    'INSERT INTO supplier (id, name, country, email, since) VALUES (?, ?, ?, ?, ?)',
    suppliers(random),
  );
  yield* filler.write('Categories', 'INSERT INTO category (id, name, parent_id) VALUES (?, ?, ?)', categories());
  yield* filler.write(
    'Products',
    `INSERT INTO product (id, sku, name, category_id, supplier_id, cost_cents, price_cents, attributes, listed_on, discontinued_on)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    productRows(random, products),
  );
  yield* filler.write(
    'Pictures',
    'INSERT INTO product_image (product_id, png, alt_text) VALUES (?, ?, ?)',
    pictures(random, products),
  );
  yield* filler.write('Warehouses', 'INSERT INTO warehouse (id, city, capacity) VALUES (?, ?, ?)', warehouses(random));
  yield* filler.write(
    'Stock',
    'INSERT INTO stock (warehouse_id, product_id, quantity, counted_at) VALUES (?, ?, ?, ?)',
    stock(random, products),
  );
}

function* suppliers(random: Random): Generator<Row> {
  for (let id = 1; id <= SUPPLIER_COUNT; id++) {
    const word = SUPPLIER_WORDS[(id - 1) % SUPPLIER_WORDS.length]!;
    const kind = Math.floor((id - 1) / SUPPLIER_WORDS.length);
    const email = random.chance(0.85) ? `orders@${word.toLowerCase()}${id}.example` : null;
    yield [
      id,
      `${word} ${SUPPLIER_KINDS[kind]!}`,
      SUPPLIER_COUNTRIES[kind]!,
      email,
      `${random.between(1921, 2019)}-0${random.between(1, 9)}-15`,
    ];
  }
}

function* categories(): Generator<Row> {
  let id = 0;
  for (const [department, shelves] of Object.entries(DEPARTMENTS)) {
    const parentId = ++id;
    yield [parentId, department, null];
    for (const shelf of shelves) yield [++id, shelf.category, parentId];
  }
}

/** Shelves with the ids that {@link categories} gives them. */
function shelvesWithIds(): readonly { readonly id: number; readonly shelf: Shelf }[] {
  let id = 0;
  return Object.values(DEPARTMENTS).flatMap((shelves) => {
    id++;
    return shelves.map((shelf) => ({ id: ++id, shelf }));
  });
}

function* productRows(random: Random, products: Product[]): Generator<Row> {
  const shelves = shelvesWithIds();
  for (let id = 1; id <= PRODUCT_COUNT; id++) {
    const { id: categoryId, shelf } = random.pick(shelves);
    const type = random.pick(shelf.types);
    const name = `${random.pick(SERIES)} ${type} ${random.between(1, 95)}`;
    const priceCents = random.between(shelf.priceFrom, shelf.priceTo) * 100 + random.pick([90, 95, 0, 50]);
    const costCents = Math.floor(priceCents * (0.35 + random.next() * 0.3));
    const listedDay = random.between(0, LAST_DAY - 200);
    const discontinued = random.chance(0.12) ? dateOfDay(random.between(listedDay + 100, LAST_DAY)) : null;
    const sku = `${type.slice(0, 2).toUpperCase()}-${String(10_000 + id * 7)}`;
    const supplierId = random.chance(0.96) ? random.between(1, SUPPLIER_COUNT) : null;
    products.push({ id, name, priceCents });
    yield [
      id,
      sku,
      name,
      categoryId,
      supplierId,
      costCents,
      priceCents,
      attributes(random, shelf),
      dateOfDay(listedDay),
      discontinued,
    ];
  }
}

function attributes(random: Random, shelf: Shelf): string {
  const colors = COLORS.filter(() => random.chance(0.35));
  return JSON.stringify({
    weight_g: random.between(shelf.weightFrom, shelf.weightTo),
    material: random.pick(MATERIALS),
    colors,
    recycled: random.chance(0.3),
    ...(random.chance(0.4) && { size_cm: [random.between(8, 90), random.between(8, 60), random.between(2, 40)] }),
    ...(random.chance(0.2) && { care: { wash_c: random.pick([30, 40]), tumble: false } }),
  });
}

function* pictures(random: Random, products: readonly Product[]): Generator<Row> {
  for (const product of products) {
    const altText = random.chance(0.7) ? `${product.name}, ${PICTURE_SIZE} × ${PICTURE_SIZE} pixels` : null;
    yield [product.id, productPicture(random), altText];
  }
}

function* warehouses(random: Random): Generator<Row> {
  for (const [index, city] of WAREHOUSES.entries()) yield [index + 1, city, { real: random.between(8, 60) * 100 }];
}

function* stock(random: Random, products: readonly Product[]): Generator<Row> {
  for (let warehouseId = 1; warehouseId <= WAREHOUSES.length; warehouseId++) {
    for (const product of products)
      yield [warehouseId, product.id, random.skewedIndex(160), timeOfDay(LAST_DAY - 400 + random.next() * 30)];
  }
}

/** Counts that differ from the books: each change lands in the stock log through its trigger. */
export function* stockCounts(random: Random, products: readonly Product[], count: number): Generator<Row> {
  for (let n = 0; n < count; n++) {
    const change = random.between(1, 40);
    yield [
      change,
      timeOfDay(LAST_DAY - 360 + (n / count) * 360),
      random.between(1, WAREHOUSES.length),
      random.pick(products).id,
    ];
  }
}

// The product pictures of the sample: a small colored pattern each, so that a blob column shows something worth seeing.

export const PICTURE_SIZE = 32;

type Pattern = (x: number, y: number) => number;

const HALF = PICTURE_SIZE / 2;

/** Each returns a palette index 0…3 for a pixel. */
const PATTERNS: readonly ((step: number) => Pattern)[] = [
  (step) => (x, y) => ((x + y) / step) & 3, // diagonal stripes
  (step) => (x, y) => (((x / step) & 1) ^ ((y / step) & 1)) * 2 + (y > HALF ? 1 : 0), // checks above and below a horizon
  (step) => (x, y) => (Math.hypot(x - HALF, y - HALF) / step) & 3, // rings
  (step) => (x, y) => (y < HALF + Math.abs(((x * 2) % (step * 4)) - step * 2) - step ? 0 : y > 26 ? 3 : 2), // mountains
  (step) => (x, y) => ((Math.abs(x - HALF) + Math.abs(y - HALF)) / step) & 3, // diamonds
];

export function productPicture(random: Random): Uint8Array {
  const pattern = random.pick(PATTERNS)(random.between(3, 7));
  const pixels = new Uint8Array(PICTURE_SIZE * PICTURE_SIZE);
  for (let y = 0; y < PICTURE_SIZE; y++) {
    for (let x = 0; x < PICTURE_SIZE; x++) pixels[y * PICTURE_SIZE + x] = pattern(x, y);
  }
  return encodePng({ width: PICTURE_SIZE, height: PICTURE_SIZE, palette: palette(random), pixels });
}

/** Four shades of one hue, from a pale ground to a dark line. */
function palette(random: Random): readonly Color[] {
  const base: Color = [random.between(40, 220), random.between(40, 220), random.between(40, 220)];
  const shade = (toward: number, amount: number): Color => [
    Math.round(base[0] + (toward - base[0]) * amount),
    Math.round(base[1] + (toward - base[1]) * amount),
    Math.round(base[2] + (toward - base[2]) * amount),
  ];
  return [shade(255, 0.7), shade(255, 0.3), base, shade(0, 0.5)];
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const PALETTE_COLOR = 3;
const STORED_BLOCK_LIMIT = 65535;

/** Red, green, blue; 0…255 each. */
type Color = readonly [number, number, number];

interface PaletteImage {
  readonly width: number;
  readonly height: number;
  readonly palette: readonly Color[];
  /** One palette index per pixel, row by row. */
  readonly pixels: Uint8Array;
}

/**
 * Writes small palette PNGs without a compressor: zlib "stored" blocks are valid and keep the bytes the same everywhere.
 */
export function encodePng(image: PaletteImage): Uint8Array {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, image.width);
  view.setUint32(4, image.height);
  header[8] = 8; // bits per pixel
  header[9] = PALETTE_COLOR;
  return joined([
    Uint8Array.from(SIGNATURE),
    chunk('IHDR', header),
    chunk('PLTE', Uint8Array.from(image.palette.flat())),
    chunk('IDAT', zlibStored(scanlines(image))),
    chunk('IEND', new Uint8Array(0)),
  ]);
}

/** Each row is preceded by its filter type; 0 means none. */
function scanlines({ width, height, pixels }: PaletteImage): Uint8Array {
  const lines = new Uint8Array((width + 1) * height);
  for (let y = 0; y < height; y++) lines.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  return lines;
}

function zlibStored(data: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [Uint8Array.of(0x78, 0x01)];
  for (let start = 0; start === 0 || start < data.length; start += STORED_BLOCK_LIMIT) {
    const block = data.subarray(start, start + STORED_BLOCK_LIMIT);
    const isLast = start + STORED_BLOCK_LIMIT >= data.length;
    const length = block.length;
    parts.push(Uint8Array.of(isLast ? 1 : 0, length & 0xff, length >> 8, ~length & 0xff, (~length >> 8) & 0xff), block);
  }
  parts.push(bigEndian(adler32(data)));
  return joined(parts);
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = joined([Uint8Array.from(type, (letter) => letter.charCodeAt(0)), data]);
  return joined([bigEndian(data.length), body, bigEndian(crc32(0, body))]);
}

function adler32(bytes: Uint8Array): number {
  let a = 1;
  let b = 0;
  for (const byte of bytes) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  return ((b << 16) | a) >>> 0;
}

function bigEndian(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}
