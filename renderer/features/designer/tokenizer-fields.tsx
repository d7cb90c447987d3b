// How an FTS5 table turns text into words: the tokenizer and its options.
import type { ReactNode } from 'react';
import { readTokenizer, setFullTextOption, writeTokenizer } from '#shared/ddl/full-text.ts';
import type { FullTextModel, Tokenizer } from '#shared/ddl/full-text.ts';
import { Select } from '../../ui/select.tsx';
import type { DesignSession } from './design-session.ts';
import { Check, Field, Line } from './fields.tsx';
import { DEFAULT } from './lists.ts';

const TOKENIZERS = [
  ['unicode61', 'Words of any language (unicode61)'],
  ['ascii', 'Words of ASCII letters (ascii)'],
  ['trigram', 'Any three characters (trigram)'],
] as const;

interface TokenizerFieldsProps {
  readonly session: DesignSession;
  readonly model: FullTextModel;
}

export function TokenizerFields({ session, model }: TokenizerFieldsProps): ReactNode {
  const tokenizer = readTokenizer(model.options['tokenize']);
  const set = (part: Partial<Tokenizer>): void =>
    session.change(setFullTextOption(model, 'tokenize', writeTokenizer({ ...tokenizer, ...part })), session.identity);
  const value = (key: string): string => tokenizer.options.find(([one]) => one === key)?.[1] ?? DEFAULT;
  const setOption = (key: string, text: string): void => {
    const isThere = tokenizer.options.some(([one]) => one === key);
    const replaced = tokenizer.options.map(([one, old]) => [one, one === key ? text : old] as const);
    const all = isThere ? replaced : [...tokenizer.options, [key, text] as const];
    set({ options: all.filter(([one, now]) => one !== key || now !== DEFAULT) });
  };
  const isKnown = TOKENIZERS.some(([name]) => name === tokenizer.name);
  const isWords = tokenizer.name === 'unicode61' || tokenizer.name === 'ascii';
  return (
    <section className="design-group" aria-labelledby="design-words">
      <h2 id="design-words">Words</h2>
      <Line label="Tokenizer">
        <Select
          label="Tokenizer"
          value={tokenizer.name}
          options={[...TOKENIZERS, ...(isKnown ? [] : [[tokenizer.name, tokenizer.name] as const])]}
          onChoose={(name) => set({ name, options: [], stems: tokenizer.stems && name !== 'trigram' })}
        />
      </Line>
      {isWords && (
        <Check
          label="Match English words by their stem (porter)"
          isShown
          checked={tokenizer.stems}
          onChange={(stems) => set({ stems })}
        />
      )}
      {tokenizer.name === 'unicode61' && (
        <Line label="Accents">
          <Select
            label="Accents"
            value={value('remove_diacritics')}
            options={ACCENTS}
            onChoose={(text) => setOption('remove_diacritics', text)}
          />
        </Line>
      )}
      {isWords && <Characters value={value} onSet={setOption} />}
      {tokenizer.name === 'trigram' && (
        <Check
          label="Case-sensitive"
          isShown
          checked={value('case_sensitive') === '1'}
          onChange={(isOn) => setOption('case_sensitive', isOn ? '1' : DEFAULT)}
        />
      )}
    </section>
  );
}

interface CharactersProps {
  readonly value: (option: string) => string;
  readonly onSet: (option: string, text: string) => void;
}

function Characters({ value, onSet }: CharactersProps): ReactNode {
  return CHARACTERS.map(([key, label, placeholder]) => (
    <Line key={key} label={label}>
      <Field label={label} value={value(key)} placeholder={placeholder} onCommit={(text) => onSet(key, text)} />
    </Line>
  ));
}

const ACCENTS = [
  [DEFAULT, 'Default'],
  ['0', 'Kept'],
  ['1', 'Ignored, except several on one letter'],
  ['2', 'Ignored'],
] as const;

const CHARACTERS = [
  ['tokenchars', 'Part of words', 'Additional characters in words, such as -_'],
  ['separators', 'Separators', 'Additional characters that separate words'],
] as const;
