// Suppliers, categories, products with pictures, warehouses and their stock.
import { dateOfDay, LAST_DAY, timeOfDay } from './calendar.ts';
import type { Fill, Filler, Row } from './filler.ts';
import { COLORS, DEPARTMENTS, MATERIALS, SERIES, SUPPLIER_KINDS, SUPPLIER_WORDS, WAREHOUSES } from './product-words.ts';
import type { Shelf } from './product-words.ts';
import { PICTURE_SIZE, productPicture } from './picture.ts';
import type { Random } from '#shared/random.ts';

export const PRODUCT_COUNT = 1200;
export const SUPPLIER_COUNT = SUPPLIER_WORDS.length * SUPPLIER_KINDS.length;
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
