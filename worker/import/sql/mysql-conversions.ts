// Functions around values of INSERT that say how a literal is meant, and compute nothing.
import { exactUtf8 } from './byte-text.ts';
import { literalOf, written } from './rewriting.ts';
import { isSign, isWord, splitAtCommas, type SqlToken } from './tokens.ts';

const BITS = /^[01]{0,64}$/;
const UTF8 = /^utf8(?:mb[34])?$/i;
const OF_TEXT =
  /^(?:ST_)?(?:Geom(?:etry(?:Collection)?|Coll)?|(?:M|Multi)?(?:Point|Line(?:String)?|Poly(?:gon)?))FromText$/i;
const LITTLE = /^\d{1,9}$/;

/** The literal that such a function stands for; other values as they are. @param encoding of texts */
export function withoutConversion(value: readonly SqlToken[], encoding: string): readonly SqlToken[] {
  const [word, open] = value;
  if (word?.kind !== 'word' || !isSign(open, '(') || value.length < 4) return value;
  return bitsOf(value) ?? textOf(value) ?? geometryOf(value, encoding) ?? value;
}

/** `CONV('101', 2, 10) + 0`, and `CONVERT(b'101', UNSIGNED)`, as Adminer writes the values of BIT columns, are `b'101'`. */
function bitsOf(value: readonly SqlToken[]): readonly SqlToken[] | null {
  const isConv = isWord(value[0], 'CONV');
  if (!isConv && !(isWord(value[0], 'CONVERT') && isWord(value[2], 'B'))) return null;
  const bits = value[isConv ? 2 : 3];
  const rest = written(value.slice(isConv ? 3 : 4)).replaceAll(' ', '');
  if (bits?.kind !== 'string' || !BITS.test(bits.value)) return null;
  if (isConv ? rest !== ',2,10)+0' : rest.toUpperCase() !== ',UNSIGNED)') return null;
  return [{ ...value[0]!, text: 'B', value: 'B' }, bits];
}

/** `CONVERT('x' USING utf8mb4)` is the text, and `CONVERT(0x78 USING utf8mb4)` that of these bytes. */
function textOf(value: readonly SqlToken[]): readonly SqlToken[] | null {
  const [using, charset, close] = value.slice(-3);
  if (!isWord(value[0], 'CONVERT') || !isWord(using, 'USING') || !isSign(close, ')') || !UTF8.test(charset!.text))
    return null;
  const inner = value.slice(2, -3);
  if (inner.length === 1 && inner[0]!.kind === 'string') return inner;
  const isHex = inner.length === 1 ? /^0x/i.test(inner[0]!.text) : isWord(inner[0], 'X') && inner.length === 2;
  return isHex ? [{ ...value[0]!, text: '_utf8mb4', value: '_utf8mb4' }, ...inner] : null;
}

/**
 * `ST_GeomFromText('POINT(1 2)', 4326)` as a text in SQL (kind `sql`): `SRID=4326;POINT(1 2)`, as PostGIS writes it. What Adminer writes for
 * the SRID, `ST_SRID(column)`, tells none.
 */
function geometryOf(value: readonly SqlToken[], encoding: string): readonly SqlToken[] | null {
  if (!OF_TEXT.test(value[0]!.text) || !isSign(value.at(-1), ')')) return null;
  const [[token, second] = [], srid, ...more] = splitAtCommas(value.slice(2, -1));
  const text = token?.kind === 'string' && second === undefined ? exactUtf8(token.value, encoding) : null;
  if (text === null || more.length > 0) return null;
  const isColumn = srid?.length === 4 && isWord(srid[0], 'SRID', 'ST_SRID');
  const number = srid === undefined || isColumn ? '0' : written(srid);
  if (!LITTLE.test(number)) return null;
  const sql = literalOf(Number(number) === 0 ? text : `SRID=${Number(number)};${text}`);
  return [{ ...token!, kind: 'sql', text: sql, value: sql }];
}
