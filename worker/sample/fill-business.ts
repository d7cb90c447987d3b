// Customers, their orders with lines and payments, and what they wrote about it.
import type { Value } from '#shared/protocol/values.ts';
import { dateOfDay, LAST_DAY, timeOfDay, type Fill, type Filler, type Row } from './filler.ts';
import type { Product } from './fill-catalog.ts';
import { REVIEW_OPENINGS, REVIEW_PLACES, REVIEW_VERDICTS, WAREHOUSES } from './product-words.ts';
import type { Random } from '#shared/random.ts';

interface Country {
  readonly code: string;
  readonly given: readonly string[];
  readonly family: readonly string[];
  readonly cities: readonly string[];
  /** How many of a hundred customers live there. */
  readonly share: number;
}

const words = (text: string): readonly string[] => text.split(' ');

/** Names and places of the sample's customers, by country and in their own script. */
const COUNTRIES: readonly Country[] = [
  {
    code: 'DE',
    share: 24,
    given: words('Anna Jörg Käthe Lukas Miriam Jürgen Sophie Björn Clara Emil Änne Matthias'),
    family: words('Müller Schäfer Weiß Krüger Vogel Böhm Hartmann Groß Lindner Köhler'),
    cities: words('Berlin München Köln Leipzig Würzburg Görlitz'),
  },
  {
    code: 'NO',
    share: 11,
    given: words('Ingrid Håkon Sølvi Magnus Åse Eirik Liv Øyvind'),
    family: words('Hansen Bjørnstad Ødegård Lie Sæther Haugland'),
    cities: words('Oslo Tromsø Bergen Bodø Ålesund'),
  },
  {
    code: 'FR',
    share: 10,
    given: words('Élodie François Zoé Gaël Chloé Benoît Maïté Loïc'),
    family: words('Lefèvre Dubois Besançon Moreau Gauthier Noël'),
    cities: words('Paris Chamonix Orléans Besançon Nîmes'),
  },
  {
    code: 'GB',
    share: 12,
    given: words('Oliver Amelia Rhys Siân Callum Isla Niamh George'),
    family: words("Smith O'Brien Llewellyn MacLeod Ashworth Fairclough D'Arcy"),
    cities: words('London Edinburgh Keswick Bangor Inverness'),
  },
  {
    code: 'PL',
    share: 8,
    given: words('Łukasz Małgorzata Paweł Zofia Żaneta Michał'),
    family: words('Wiśniewska Wójcik Dąbrowski Błaszczyk Śliwa'),
    cities: words('Kraków Łódź Zakopane Gdańsk'),
  },
  {
    code: 'TR',
    share: 5,
    given: words('Ayşe Çağlar Gül İbrahim Işıl Ömer'),
    family: words('Yılmaz Öztürk Şahin Çelik Aydın'),
    cities: words('İstanbul İzmir Eskişehir'),
  },
  {
    code: 'GR',
    share: 4,
    given: words('Ελένη Νίκος Δήμητρα Γιώργος'),
    family: words('Παπαδόπουλος Νικολαΐδης Ιωάννου'),
    cities: words('Αθήνα Θεσσαλονίκη Ιωάννινα'),
  },
  {
    code: 'BG',
    share: 4,
    given: words('Иван Елена Борис Цветелина'),
    family: words('Петров Димитрова Стоянов'),
    cities: words('София Банско Пловдив'),
  },
  {
    code: 'JP',
    share: 8,
    given: words('美咲 蓮 陽葵 大翔 さくら 健'),
    family: words('佐藤 鈴木 高橋 渡辺 山本'),
    cities: words('東京 札幌 松本 京都'),
  },
  {
    code: 'CN',
    share: 5,
    given: words('伟 芳 秀英 娜 静'),
    family: words('王 李 张 刘 陈'),
    cities: words('北京 成都 昆明'),
  },
  {
    code: 'KR',
    share: 3,
    given: words('지우 서연 민준 하은'),
    family: words('김 이 박 최'),
    cities: words('서울 부산 속초'),
  },
  {
    code: 'EG',
    share: 2,
    given: words('محمد فاطمة يوسف ليلى'),
    family: words('حسن إبراهيم السيد'),
    cities: words('القاهرة أسوان'),
  },
  {
    code: 'IL',
    share: 2,
    given: words('נועה יוסף תמר איתן'),
    family: words('כהן לוי מזרחי'),
    cities: words('חיפה ירושלים'),
  },
  {
    code: 'IN',
    share: 2,
    given: words('आरव प्रिया रोहन अनन्या'),
    family: words('शर्मा सिंह पटेल'),
    cities: words('दिल्ली पुणे'),
  },
];

const CUSTOMER_COUNT = 6000;
const ORDER_COUNT = 18_000;
const REVIEW_COUNT = 6000;
const FIRST_ORDER_ID = 100_001;
const DAYS_BEFORE_OPENING = 20;
/** Payment ids look like those of a payment service: time in the high bits, far beyond what a double holds exactly. */
const FIRST_PAYMENT_ID = 7_215_000_000_000_000_001n;
const LINES_OF_AN_ORDER = [1, 1, 1, 2, 2, 3, 4];
const STATUSES = ['new', 'paid', 'shipped', 'delivered', 'delivered', 'delivered', 'delivered', 'returned', 'canceled'];
const METHODS = ['card', 'card', 'invoice', 'paypal', 'bank transfer'];
const NOTES = [
  'Ring twice',
  'Leave with the neighbor',
  'Gift, please wrap',
  'Bitte nicht knicken',
  '再配達をお願いします',
];

interface Order {
  readonly id: number;
  readonly customerId: number;
  readonly status: string;
  readonly day: number;
  readonly lines: readonly { readonly product: Product; readonly quantity: number }[];
}

export function* fillBusiness(filler: Filler, random: Random, products: readonly Product[]): Fill {
  yield* filler.write(
    'Customers',
    `INSERT INTO customer (id, given_name, family_name, email, city, country, born_on, newsletter, joined_at, referred_by)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    customers(random),
  );
  const orders = makeOrders(random, products);
  yield* filler.write(
    'Orders',
    'INSERT INTO "order" (id, customer_id, warehouse_id, status, ordered_at, shipped_at, discount, note) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    orderRows(random, orders),
  );
  yield* filler.write(
    'Order lines',
    'INSERT INTO order_line (order_id, line, product_id, quantity, price_cents) VALUES (?, ?, ?, ?, ?)',
    orderLines(orders),
  );
  yield* filler.write(
    'Payments',
    'INSERT INTO payment (id, order_id, method, amount_cents, fee, paid_at, receipt) VALUES (?, ?, ?, ?, ?, ?, ?)',
    payments(random, orders),
  );
  yield* filler.write(
    'Reviews',
    'INSERT INTO review (id, product_id, order_id, line, stars, title, body, written_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    reviews(random, products, orders),
  );
}

function* customers(random: Random): Generator<Row> {
  for (let id = 1; id <= CUSTOMER_COUNT; id++) {
    const country = pickCountry(random);
    const email = random.chance(0.93) ? `customer${id}@${random.pick(['mail', 'post', 'web'])}.example` : null;
    const bornOn = random.chance(0.8)
      ? `${random.between(1944, 2006)}-${twoDigits(random.between(1, 12))}-${twoDigits(random.between(1, 28))}`
      : null;
    const referredBy = id > 50 && random.chance(0.15) ? random.between(1, id - 1) : null;
    yield [
      id,
      random.pick(country.given),
      random.pick(country.family),
      email,
      random.pick(country.cities),
      country.code,
      bornOn,
      random.chance(0.4) ? 1 : 0,
      timeOfDay((id / CUSTOMER_COUNT) * (LAST_DAY - 1)),
      referredBy,
    ];
  }
}

function pickCountry(random: Random): Country {
  let ticket = random.between(1, 100);
  for (const country of COUNTRIES) {
    ticket -= country.share;
    if (ticket <= 0) return country;
  }
  return COUNTRIES[0]!;
}

function makeOrders(random: Random, products: readonly Product[]): readonly Order[] {
  return Array.from({ length: ORDER_COUNT }, (_, index) => {
    const day = DAYS_BEFORE_OPENING + (index / ORDER_COUNT) * (LAST_DAY - DAYS_BEFORE_OPENING);
    const isRecent = day > LAST_DAY - 14;
    return {
      id: FIRST_ORDER_ID + index,
      customerId: 1 + random.skewedIndex(Math.max(1, Math.floor((day / LAST_DAY) * CUSTOMER_COUNT))),
      status: isRecent ? random.pick(STATUSES.slice(0, 3)) : random.pick(STATUSES.slice(3)),
      day,
      lines: Array.from({ length: random.pick(LINES_OF_AN_ORDER) }, () => ({
        product: products[random.skewedIndex(products.length)]!,
        quantity: random.pick([1, 1, 1, 1, 2, 2, 3, 6]),
      })),
    };
  });
}

function* orderRows(random: Random, orders: readonly Order[]): Generator<Row> {
  for (const { id, customerId, status, day } of orders) {
    const isShipped = status !== 'new' && status !== 'paid' && status !== 'canceled';
    const discount = { real: random.chance(0.2) ? random.pick([0.05, 0.1, 0.15]) : 0 };
    const note = random.chance(0.06) ? random.pick(NOTES) : null;
    const shippedAt = isShipped ? timeOfDay(day + 0.3 + random.next() * 3) : null;
    yield [id, customerId, random.between(1, WAREHOUSES.length), status, timeOfDay(day), shippedAt, discount, note];
  }
}

function* orderLines(orders: readonly Order[]): Generator<Row> {
  for (const order of orders) {
    for (const [index, { product, quantity }] of order.lines.entries())
      yield [order.id, index + 1, product.id, quantity, product.priceCents];
  }
}

function* payments(random: Random, orders: readonly Order[]): Generator<Row> {
  let id = FIRST_PAYMENT_ID;
  for (const order of orders) {
    if (order.status === 'new' || order.status === 'canceled') continue;
    id += BigInt(random.between(1, 900_000));
    const amountCents = order.lines.reduce((sum, { product, quantity }) => sum + product.priceCents * quantity, 0);
    const fee = { real: Math.round(amountCents * 1.4) / 10_000 };
    yield [
      id,
      order.id,
      random.pick(METHODS),
      amountCents,
      fee,
      timeOfDay(order.day + random.next() / 2),
      receipt(random, order),
    ];
  }
}

/** The ANY column of the STRICT table: a number, a text or nothing, each kept as it is. */
function receipt(random: Random, order: Order): Value {
  const kind = random.between(0, 2);
  if (kind === 0) return null;
  return kind === 1 ? order.id * 10 + 1 : `R-${order.id}`;
}

function* reviews(random: Random, products: readonly Product[], orders: readonly Order[]): Generator<Row> {
  for (let id = 1; id <= REVIEW_COUNT; id++) {
    const order = random.pick(orders);
    const isOfLine = order.status === 'delivered' && random.chance(0.9);
    const line = random.between(1, order.lines.length);
    const product = isOfLine ? order.lines[line - 1]!.product : random.pick(products);
    const stars = random.pick([1, 2, 3, 4, 4, 5, 5, 5]);
    const verdict = random.pick(REVIEW_VERDICTS[stars - 1]!);
    const title = random.chance(0.75) ? `${verdict[0]!.toUpperCase()}${verdict.slice(1)}` : null;
    const body = `${random.pick(REVIEW_OPENINGS)} ${random.pick(REVIEW_PLACES)}: ${verdict}. ${product.name} gets ${stars} of 5 from me.`;
    const writtenAt = `${dateOfDay(Math.min(order.day + random.between(7, 60), LAST_DAY))} ${twoDigits(random.between(6, 23))}:30:00`;
    yield [id, product.id, isOfLine ? order.id : null, isOfLine ? line : null, stars, title, body, writtenAt];
  }
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');
