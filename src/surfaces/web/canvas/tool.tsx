/** A button with an icon that runs a command. */
import type { LucideIcon } from 'lucide-react';
import type { CommandId } from './commands.ts';
import { useEditing } from './context.ts';

interface ToolProps {
  readonly id: CommandId;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly isDisabled?: boolean;
  /** Shown beside the icon. */
  readonly text?: string;
}

export function Tool({ id, label, icon: Icon, isDisabled = false, text }: ToolProps) {
  const { run } = useEditing();
  return (
    <button
      type="button"
      className={text === undefined ? 'wc-tool' : 'wc-tool wc-tool-wide'}
      title={label}
      aria-label={label}
      disabled={isDisabled}
      onClick={() => run(id)}
    >
      <Icon size={18} aria-hidden />
      {text !== undefined && <span className="wc-tool-label">{text}</span>}
    </button>
  );
}
