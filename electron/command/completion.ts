// `sidelite completion`: scripts that let a shell complete commands and options, made of the same tables that the commands are read by.
import { EXIT, type CommandSession, type Outcome } from './session.ts';
import { printText } from './io.ts';
import { COMMANDS, type OptionSpec } from './options.ts';
import { UsageError } from './parse.ts';

const SCRIPTS: Readonly<Record<string, () => string>> = { bash, zsh, fish, powershell };
const SHELLS = Object.keys(SCRIPTS);

export async function runCompletion({ operands }: CommandSession): Promise<Outcome> {
  const [shell = ''] = operands;
  if (!SHELLS.includes(shell)) throw new UsageError(`There is no shell “${shell}” here. It is one of ${SHELLS.join(', ')}.`); // prettier-ignore
  await printText(SCRIPTS[shell]!());
  return { exitCode: EXIT.done, summary: null };
}

const NAMES = COMMANDS.map(({ name }) => name);

const wordsOf = ({ name, short }: OptionSpec): readonly string[] => [
  `--${name}`,
  ...(short === undefined ? [] : [`-${short}`]),
];
const takesNext = ({ value, isValueOptional }: OptionSpec): boolean => value !== undefined && !isValueOptional;
/** In single quotes of a shell of Unix. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The names of files follow, of which the shell knows more. */
function bash(): string {
  const cases = COMMANDS.map(({ name, options }) => {
    const values = options.filter(takesNext).flatMap(wordsOf);
    const words = options.flatMap(wordsOf).join(' ');
    return `    ${name}) words=${quoted(name === 'completion' ? `${words} ${SHELLS.join(' ')}` : words)}; values=${quoted(` ${values.join(' ')} `)} ;;\n`;
  });
  return `# Completes sidelite in bash: source this file, or save it in the folder of bash-completion.
_sidelite() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} words= values=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W ${quoted(NAMES.join(' '))} -- "$word"))
    return
  fi
  case \${COMP_WORDS[1]} in
${cases.join('')}  esac
  case $values in *" $before "*) return ;; esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _sidelite sidelite
`;
}

function zsh(): string {
  const text = (help: string): string => help.replaceAll(/[[\]\\:]/g, '\\$&');
  const cases = COMMANDS.map(({ name, options }) => {
    const specs = options.flatMap((option) =>
      wordsOf(option).map((word) => {
        const value = option.value === undefined ? '' : `${option.isValueOptional ? '::' : ':'}${text(option.value)}:_files`; // prettier-ignore
        return `        ${quoted(`*${word}[${text(option.help)}]${value}`)}`;
      }),
    );
    const operands = name === 'completion' ? quoted(`1:shell:(${SHELLS.join(' ')})`) : quoted('*:file:_files');
    return `      ${name}) _arguments \\\n${specs.map((spec) => `${spec} \\\n`).join('')}        ${operands} ;;\n`;
  });
  return `#compdef sidelite
# Completes sidelite in zsh: save this file as _sidelite in a folder of $fpath.
_sidelite() {
  local -a commands=(
${COMMANDS.map(({ name, about }) => `    ${quoted(`${name}:${text(firstSentence(about))}`)}\n`).join('')}  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    _files
  else
    local command=$words[2]
    shift words; (( CURRENT-- ))
    case $command in
${cases.join('')}    esac
  fi
}
if [ "$funcstack[1]" = _sidelite ]; then _sidelite "$@"; else compdef _sidelite sidelite; fi
`;
}

function fish(): string {
  const text = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const lines = COMMANDS.flatMap(({ name, about, options }) => [
    `complete -c sidelite -n __fish_use_subcommand -a ${name} -d ${text(firstSentence(about))}`,
    ...options.map((option) => {
      const short = option.short === undefined ? '' : ` -s ${option.short}`;
      const value = takesNext(option) ? ' -r' : '';
      return `complete -c sidelite -n '__fish_seen_subcommand_from ${name}' -l ${option.name}${short}${value} -d ${text(option.help)}`;
    }),
  ]);
  return `# Completes sidelite in fish: save this file as ~/.config/fish/completions/sidelite.fish.
${lines.join('\n')}
complete -c sidelite -n '__fish_seen_subcommand_from completion' -f -a ${text(SHELLS.join(' '))}
`;
}

function powershell(): string {
  const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;
  const entries = COMMANDS.map(({ name, options }) => {
    const words = options.flatMap(wordsOf).map(text).join(', ');
    return `    ${text(name)} = @(${words}${name === 'completion' ? `, ${SHELLS.map(text).join(', ')}` : ''})\n`;
  });
  return `# Completes sidelite in PowerShell: add this to the file $PROFILE.
Register-ArgumentCompleter -Native -CommandName sidelite -ScriptBlock {
  param($word, $line, $position)
  $options = @{
${entries.join('')}  }
  $elements = @($line.CommandElements | ForEach-Object { $_.ToString() })
  $isCommand = $elements.Count -lt 2 -or ($elements.Count -eq 2 -and $word -ne '')
  $words = if ($isCommand) { ${NAMES.map(text).join(', ')} } else { $options[$elements[1]] }
  $words | Where-Object { $_ -like "$word*" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}
`;
}

const firstSentence = (about: string): string => about.split('. ')[0]!.replace(/\.$/, '');
