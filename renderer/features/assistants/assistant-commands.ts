// Commands about assistants: how one reaches the current database, and what they propose.
import { capabilitiesOf } from '#shared/protocol/index.ts';
import { useStore } from '../../state/store.ts';
import { connectAssistant, useAssistants, waitingIn } from '../../workbench/assistants/assistants.ts';
import { reviewNext } from '../../workbench/assistants/review.ts';
import { useCommand } from '../../workbench/commands/commands.ts';

export function useAssistantCommands(): void {
  const entry = useStore(({ currentDatabase, openDatabases }) =>
    currentDatabase === null ? null : (openDatabases[currentDatabase]?.entry ?? null),
  );
  const can = entry && capabilitiesOf(entry.id);
  useCommand('assistant.connect', () => connectAssistant(entry), can !== null && can.inPlace && !can.temporary);
  const isAsked = useAssistants((state) => waitingIn(state).length > 0);
  useCommand('assistant.review', () => void reviewNext(), isAsked);
}
