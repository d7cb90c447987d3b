// What the sandbox runs before the code of the user: it makes functions of the code, and of each result a value that SQLite can store.

/**
 * JavaScript, evaluated in the sandbox. `make` returns the functions that are called from outside. A result leaves as a text, a number, a
 * bigint, or undefined for NULL; what no handle carries exactly leaves in an object: a blob, a REAL, a text with U+0000.
 */
export const PRELUDE = String.raw`(() => {
  'use strict';
  class Real { constructor(number) { this.number = Number(number); } }
  Object.defineProperty(globalThis, 'real', { value: (number) => new Real(number) });
  const refuse = (what) => { throw new TypeError('the result is ' + what + ', which SQLite cannot store'); };
  const number = (value) => (value === value ? value : refuse('NaN'));
  const unitsOf = (text) => {
    const units = new Uint16Array(text.length);
    for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
    return units.buffer;
  };
  const give = (value) => {
    switch (typeof value) {
      case 'string':
        if (!value.isWellFormed()) refuse('a text with half a surrogate pair');
        return value.includes('\0') ? { kind: 'text', value: unitsOf(value) } : value;
      case 'number': return number(value);
      case 'bigint': return BigInt.asIntN(64, value) === value ? value : refuse('an integer of more than 64 bits');
      case 'boolean': return value ? 1 : 0;
      case 'undefined': throw new TypeError('there is no result; return null for NULL');
      case 'object':
        if (value === null) return undefined;
        if (value instanceof Real) return { kind: 'real', value: number(value.number) };
        if (value instanceof Uint8Array) return { kind: 'blob', value: value.slice().buffer };
        if (value instanceof ArrayBuffer) return { kind: 'blob', value: value.slice() };
        return refuse('an object');
      default: return refuse('a ' + typeof value);
    }
  };
  const isFunction = (value) => typeof value === 'function';
  const make = (kind, value) => {
    if (kind === 'aggregate') {
      if (value === null || typeof value !== 'object' || !isFunction(value.step) || !isFunction(value.result))
        throw new TypeError('an aggregate is an object with the functions step and result, and start if it has a first state');
      const groups = new Map();
      const stateOf = (group) => (groups.has(group) ? groups.get(group) : isFunction(value.start) ? value.start() : value.start);
      return {
        step(group, ...values) {
          const before = stateOf(group);
          const after = value.step(before, ...values);
          groups.set(group, after === undefined ? before : after);
        },
        call(group) { return give(value.result(stateOf(group))); },
        forget(group) { groups.delete(group); },
      };
    }
    if (!isFunction(value)) throw new TypeError('the code is not a function, such as (text) => text.toLowerCase()');
    return { call: (...values) => give(value(...values)) };
  };
  const textOf = (buffer) => {
    let text = '';
    const units = new Uint16Array(buffer);
    for (let at = 0; at < units.length; at += 4096) text += String.fromCharCode.apply(null, units.subarray(at, at + 4096));
    return text;
  };
  const tryAll = (made, values) => {
    if (made.step === undefined) return made.call(...values);
    for (const row of values) made.step(1, ...(Array.isArray(row) ? row : [row]));
    return made.call(1);
  };
  return { make, textOf, bytesOf: (buffer) => new Uint8Array(buffer), tryAll };
})()`;
