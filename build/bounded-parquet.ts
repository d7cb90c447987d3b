// hyparquet believes what a page says of itself: how many values it has, and how often one repeats. A file of a few bytes could so take
// all memory there is. It also believes that all keys and values of a file are text, and refuses files whose are not. The decompressors go on
// where the memory they are to fill is full, for as long as a few bytes tell them to, or take more.
import type { Plugin } from 'vite';

/** Most values of a page of a nested column. `worker/import/parquet/page-values.ts` decodes those of flat columns. */
const MOST_VALUES = 1 << 22;

type Change = readonly [found: string, put: string];

/** By file: text to find, and its replacement. A release that words it differently must fail the build. */
const CHANGES: Readonly<Record<string, readonly Change[]>> = {
  encoding: [
    [
      'const count = header >>> 1\n',
      `const claimed = header >>> 1
      if (claimed > output.length) throw new Error(\`a run claims \${claimed} values in a page of \${output.length}\`)
      const count = Math.min(claimed, output.length - seen)\n`,
    ],
    // Bits come in groups of eight values; some writers leave out those of the last group that mean none.
    ['while (count) {\n', 'while (count && seen < output.length) {\n'],
  ],
  column: [
    [
      'const { type, element, schemaPath, codec, compressors } = columnDecoder\n',
      `const { type, element, schemaPath, codec, compressors } = columnDecoder
  const page = header.data_page_header ?? header.data_page_header_v2 ?? header.dictionary_page_header
  if (page?.num_values > ${MOST_VALUES}) throw new Error(\`a page claims \${page.num_values} values\`)\n`,
    ],
  ],
  gzip: [
    [
      'const end = outputIndex + add\n',
      "const end = outputIndex + add\n        if (output && end > output.length) throw new Error('a page has more bytes than it says')\n",
    ],
    [
      'if (outputIndex < out.length) {\n',
      `if (output && outputIndex < out.length && Math.ceil(pos / 8) + 8 >= input.length) {
    throw new Error('a page has fewer bytes than it says')
  }
  if (outputIndex < out.length) {\n`,
    ],
  ],
  brotli: [
    [
      'if (pos + meta_block_remaining_len > output.buffer.length) {\n',
      `if (!_out.is_metadata && pos + meta_block_remaining_len > output.buffer.length) {
      throw new Error('a page has more bytes than it says')\n`,
    ],
  ],
  lz4: [
    [
      'const end = len + matchLength\n',
      "const end = len + matchLength\n    if (end > output.length) throw new Error('a page has more bytes than it says')\n",
    ],
  ],
  index: [['oubt += ll, spl += ll;\n', 'oubt += ll, spl += ll;\n if (oubt + ml > buf.length) err(0);\n']],
  // What is to be text may be of another type in keys and values that only their writer needs.
  metadata: [
    [
      'return value && decoder.decode(value)\n',
      'return value instanceof Uint8Array ? decoder.decode(value) : undefined\n',
    ],
  ],
};

export function withBoundedParquet(): Plugin {
  return {
    name: 'sidelite:bounded-parquet',
    enforce: 'pre',
    transform: {
      filter: {
        id: /\/hyparquet\/src\/(?:encoding|column|metadata)\.js|\/hyparquet-compressors\/src\/(?:gzip|brotli|lz4)\.js|\/fzstd\/esm\/index\.mjs/,
      },
      handler(code, id) {
        let changed = code;
        for (const [found, put] of CHANGES[/(\w+)\.m?js/.exec(id.slice(id.lastIndexOf('/')))![1]!]!) {
          if (!changed.includes(found)) this.error(`hyparquet no longer contains ${found}`);
          changed = changed.replace(found, put);
        }
        return { code: changed, map: null };
      },
    },
  };
}
