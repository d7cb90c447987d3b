// The numbers and names that SQLite's speedtest1 fills its tables with (test/speedtest1.c, public domain), reproduced bit for bit.

/** The generator of speedtest1: a shift register XOR a linear congruence. Each test restarts it. */
export class SpeedtestRandom {
  #register = 0xad131d0b;
  #congruence = 0x44f9eac8;

  /** 32 bits, unsigned. */
  next(): number {
    const odd = (this.#register & 1) !== 0;
    this.#register = ((this.#register >>> 1) ^ (odd ? 0xd0000001 : 0)) >>> 0;
    this.#congruence = (Math.imul(this.#congruence, 1103515245) + 12345) >>> 0;
    return (this.#register ^ this.#congruence) >>> 0;
  }
}

/** The least number of the form 2^k - 1 that is not below `limit`. */
export function roundUpToOnes(limit: number): number {
  let ones = 1;
  while (ones < limit) ones = ones * 2 + 1;
  return ones;
}

/** The bits of `value` in reverse order, as many as `limit` has: neighbors land far apart, and each number comes once. */
export function swizzle(value: number, limit: number): number {
  let rest = value;
  let result = 0;
  for (let mask = limit; mask > 0; mask >>>= 1) {
    result = result * 2 + (rest & 1);
    rest >>>= 1;
  }
  return result;
}

/** The square root as speedtest1 estimates it: at most ten steps of Newton's method in whole numbers. */
export function estimatedSquareRoot(value: number): number {
  let estimate = Math.trunc(value / 2);
  for (let step = 0; estimate > 0 && step < 10; step++) {
    const next = Math.trunc((estimate + Math.trunc(value / estimate)) / 2);
    if (next === estimate) break;
    estimate = next;
  }
  return estimate;
}

const ONES = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen ' +
  'eighteen nineteen'
).split(' ');
const TENS = ' ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const SCALES = [
  [1_000_000_000, 'billion'],
  [1_000_000, 'million'],
  [1000, 'thousand'],
] as const;

/** A number in English words. speedtest1 joins tens and ones by a space, the older suites by a hyphen. */
export function numberName(value: number, tensJoint: ' ' | '-' = ' '): string {
  const words: string[] = [];
  let rest = value;
  for (const [scale, name] of SCALES) {
    if (rest < scale) continue;
    words.push(numberName(Math.trunc(rest / scale), tensJoint), name);
    rest %= scale;
  }
  if (rest >= 100) {
    words.push(ONES[Math.trunc(rest / 100)]!, 'hundred');
    rest %= 100;
  }
  const tens = rest >= 20 ? TENS[Math.trunc(rest / 10)]! : '';
  if (tens !== '') rest %= 10;
  const ones = rest > 0 ? ONES[rest]! : '';
  const last = tens !== '' && ones !== '' ? tens + tensJoint + ones : tens + ones;
  if (last !== '') words.push(last);
  return words.join(' ') || 'zero';
}
