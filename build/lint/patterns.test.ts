// The patterns of .oxlintrc.json are ones that oxlint understands.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { inRoot } from '../paths.ts';

// oxlint runs patterns with Rust's regular expressions (docs.rs/regex) and ignores one that they cannot read, so nothing would be checked.
it('no pattern looks around', () => {
  const patterns = [...readFileSync(inRoot('.oxlintrc.json'), 'utf8').matchAll(/"regex": "(.*)"/g)].map(
    ([, text]) => text!,
  );
  expect(patterns.length).toBeGreaterThan(5);
  expect(patterns.filter((text) => /\(\?(?:[!=]|<[!=])/.test(text))).toEqual([]);
});
