/** A button with an icon that runs a command. */
import type { LucideIcon } from 'lucide-react';
import type { CommandId } from './commands.ts';
import { useEditing } from './context.ts';

interface ToolProps {
  readonly id: CommandId;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly isDisabled?: boolean;
}

export function Tool({ id, label, icon: Icon, isDisabled = false }: ToolProps) {
  const { run } = useEditing();
  return (
    <button
      type="button"
      className="wc-tool"
      title={label}
      aria-label={label}
      disabled={isDisabled}
      onClick={() => run(id)}
    >
      <Icon size={18} aria-hidden />
    </button>
  );
}
