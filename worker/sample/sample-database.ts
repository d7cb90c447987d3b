// The sample database: an outdoor shop with 100,000 rows, made from a seed and the same on every machine.
import type { Progress } from '#shared/protocol/library.ts';
import type { Connection } from '../engines/engine.ts';
import { fillBusiness } from './fill-business.ts';
import { fillCatalog, stockCounts, type Product } from './fill-catalog.ts';
import { Filler, type Fill } from './filler.ts';
import { createRandom } from '#shared/random.ts';

// The schema of the sample: tables first; their dependents (indexes, views, triggers, full text) after the first rows.

export const TABLES_SQL = `
CREATE TABLE supplier (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  country TEXT NOT NULL CHECK (length(country) = 2),
  email TEXT,
  since DATE NOT NULL
);
CREATE TABLE category (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  parent_id INTEGER REFERENCES category(id) ON DELETE SET NULL
);
CREATE TABLE product (
  id INTEGER PRIMARY KEY,
  sku TEXT NOT NULL UNIQUE COLLATE NOCASE,
  name TEXT NOT NULL,
  category_id INTEGER NOT NULL REFERENCES category(id),
  supplier_id INTEGER REFERENCES supplier(id) ON DELETE SET NULL,
  cost_cents INTEGER NOT NULL CHECK (cost_cents >= 0),
  price_cents INTEGER NOT NULL CHECK (price_cents > 0),
  margin_cents INTEGER GENERATED ALWAYS AS (price_cents - cost_cents) VIRTUAL,
  attributes JSON NOT NULL CHECK (json_valid(attributes)),
  weight_g INTEGER GENERATED ALWAYS AS (attributes ->> '$.weight_g') VIRTUAL,
  listed_on DATE NOT NULL,
  discontinued_on DATE
);
CREATE TABLE product_image (
  product_id INTEGER PRIMARY KEY REFERENCES product(id) ON DELETE CASCADE,
  png BLOB NOT NULL,
  size_bytes INTEGER GENERATED ALWAYS AS (length(png)) STORED,
  alt_text TEXT
);
CREATE TABLE warehouse (
  id INTEGER PRIMARY KEY,
  city TEXT NOT NULL UNIQUE,
  capacity REAL NOT NULL
);
CREATE TABLE stock (
  warehouse_id INTEGER NOT NULL REFERENCES warehouse(id) ON DELETE CASCADE,
  product_id INTEGER NOT NULL REFERENCES product(id) ON DELETE CASCADE,
  quantity INTEGER NOT NULL CHECK (quantity >= 0),
  counted_at DATETIME NOT NULL,
  PRIMARY KEY (warehouse_id, product_id)
) WITHOUT ROWID;
CREATE TABLE stock_log (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  warehouse_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  change INTEGER NOT NULL,
  quantity INTEGER NOT NULL,
  logged_at DATETIME NOT NULL,
  FOREIGN KEY (warehouse_id, product_id) REFERENCES stock(warehouse_id, product_id) ON DELETE CASCADE
);
CREATE TABLE customer (
  id INTEGER PRIMARY KEY,
  given_name TEXT NOT NULL,
  family_name TEXT NOT NULL,
  full_name TEXT GENERATED ALWAYS AS (given_name || ' ' || family_name) VIRTUAL,
  email TEXT UNIQUE,
  city TEXT NOT NULL,
  country TEXT NOT NULL,
  born_on DATE,
  newsletter BOOLEAN NOT NULL DEFAULT 0,
  joined_at DATETIME NOT NULL,
  referred_by INTEGER REFERENCES customer(id) ON DELETE SET NULL
);
CREATE TABLE "order" (
  id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customer(id) ON DELETE CASCADE,
  warehouse_id INTEGER REFERENCES warehouse(id) ON DELETE SET NULL,
  status TEXT NOT NULL CHECK (status IN ('new', 'paid', 'shipped', 'delivered', 'returned', 'canceled')),
  ordered_at DATETIME NOT NULL,
  shipped_at DATETIME,
  discount REAL NOT NULL DEFAULT 0.0 CHECK (discount BETWEEN 0 AND 1),
  note TEXT
);
CREATE TABLE order_line (
  order_id INTEGER NOT NULL REFERENCES "order"(id) ON DELETE CASCADE,
  line INTEGER NOT NULL,
  product_id INTEGER NOT NULL REFERENCES product(id),
  quantity INTEGER NOT NULL CHECK (quantity > 0),
  price_cents INTEGER NOT NULL,
  total_cents INTEGER GENERATED ALWAYS AS (quantity * price_cents) STORED,
  PRIMARY KEY (order_id, line)
) WITHOUT ROWID;
CREATE TABLE payment (
  id INTEGER PRIMARY KEY,
  order_id INTEGER NOT NULL REFERENCES "order"(id) ON DELETE CASCADE,
  method TEXT NOT NULL,
  amount_cents INTEGER NOT NULL,
  fee REAL NOT NULL,
  paid_at TEXT NOT NULL,
  receipt ANY
) STRICT;
CREATE TABLE review (
  id INTEGER PRIMARY KEY,
  product_id INTEGER NOT NULL REFERENCES product(id) ON DELETE CASCADE,
  order_id INTEGER,
  line INTEGER,
  stars INTEGER NOT NULL CHECK (stars BETWEEN 1 AND 5),
  title TEXT,
  body TEXT NOT NULL,
  written_at DATETIME NOT NULL,
  FOREIGN KEY (order_id, line) REFERENCES order_line(order_id, line) ON DELETE SET NULL
);
`;

export const INDEXES_AND_VIEWS_SQL = `
CREATE INDEX product_by_category ON product(category_id);
CREATE INDEX product_by_supplier ON product(supplier_id);
CREATE INDEX product_by_weight ON product(weight_g);
CREATE INDEX stock_by_product ON stock(product_id);
CREATE INDEX stock_log_by_stock ON stock_log(warehouse_id, product_id);
CREATE INDEX customer_by_name ON customer(family_name, given_name);
CREATE INDEX customer_by_referrer ON customer(referred_by) WHERE referred_by IS NOT NULL;
CREATE INDEX order_by_customer ON "order"(customer_id, ordered_at DESC);
CREATE INDEX order_by_warehouse ON "order"(warehouse_id);
CREATE INDEX order_waiting ON "order"(ordered_at) WHERE shipped_at IS NULL;
CREATE INDEX order_line_by_product ON order_line(product_id);
CREATE INDEX payment_by_order ON payment(order_id);
CREATE INDEX review_by_product ON review(product_id);
CREATE INDEX review_by_line ON review(order_id, line);

CREATE VIEW order_total AS
SELECT o.id, c.full_name AS customer, o.status, o.ordered_at, count(*) AS lines,
       round(sum(l.total_cents) * (1 - o.discount) / 100.0, 2) AS total
FROM "order" o JOIN customer c ON c.id = o.customer_id JOIN order_line l ON l.order_id = o.id
GROUP BY o.id;
CREATE VIEW revenue_by_month AS
SELECT strftime('%Y-%m', o.ordered_at) AS month, count(DISTINCT o.id) AS orders, round(sum(l.total_cents) / 100.0, 2) AS revenue
FROM "order" o JOIN order_line l ON l.order_id = o.id
WHERE o.status <> 'canceled'
GROUP BY month;
CREATE VIEW low_stock AS
SELECT w.city, p.sku, p.name, s.quantity
FROM stock s JOIN warehouse w ON w.id = s.warehouse_id JOIN product p ON p.id = s.product_id
WHERE s.quantity < 3 AND p.discontinued_on IS NULL;
CREATE VIEW product_rating AS
SELECT p.id, p.name, count(r.id) AS reviews, round(avg(r.stars), 2) AS stars
FROM product p LEFT JOIN review r ON r.product_id = p.id
GROUP BY p.id;
`;

/** The full text index keeps no copy of the reviews: triggers carry each change over (sqlite.org/fts5.html#external_content_tables). */
export const TRIGGERS_SQL = `
CREATE TRIGGER stock_logged AFTER UPDATE OF quantity ON stock WHEN new.quantity <> old.quantity BEGIN
  INSERT INTO stock_log (warehouse_id, product_id, change, quantity, logged_at)
  VALUES (new.warehouse_id, new.product_id, new.quantity - old.quantity, new.quantity, new.counted_at);
END;
CREATE VIRTUAL TABLE review_search USING fts5(title, body, content = 'review', content_rowid = 'id');
INSERT INTO review_search (review_search) VALUES ('rebuild');
CREATE TRIGGER review_added AFTER INSERT ON review BEGIN
  INSERT INTO review_search (rowid, title, body) VALUES (new.id, new.title, new.body);
END;
CREATE TRIGGER review_removed AFTER DELETE ON review BEGIN
  INSERT INTO review_search (review_search, rowid, title, body) VALUES ('delete', old.id, old.title, old.body);
END;
CREATE TRIGGER review_changed AFTER UPDATE OF title, body ON review BEGIN
  INSERT INTO review_search (review_search, rowid, title, body) VALUES ('delete', old.id, old.title, old.body);
  INSERT INTO review_search (rowid, title, body) VALUES (new.id, new.title, new.body);
END;
`;

const SEED = 20_260;

/** Rows of ordinary tables; the stock log fills up what the others leave. */
export const SAMPLE_ROWS = 100_000;

/** Fills the empty database of `connection`. Pauses between batches, with no statement and no transaction open. */
export function* buildSample(connection: Connection, onProgress: (progress: Progress) => void): Fill {
  const random = createRandom(SEED);
  const products: Product[] = [];
  const filler = new Filler(connection, SAMPLE_ROWS, onProgress);
  filler.runScript(TABLES_SQL);
  yield* fillCatalog(filler, random, products);
  yield* fillBusiness(filler, random, products);
  filler.runScript(INDEXES_AND_VIEWS_SQL);
  yield 'between';
  filler.runScript(TRIGGERS_SQL);
  yield 'between';
  yield* filler.write(
    'Stock log',
    'UPDATE stock SET quantity = quantity + ?, counted_at = ? WHERE warehouse_id = ? AND product_id = ?',
    stockCounts(random, products, filler.rowsLeft),
  );
  connection.run('ANALYZE');
}
