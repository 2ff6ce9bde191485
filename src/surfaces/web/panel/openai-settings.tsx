/** The address at which clients of OpenAI find the workflow as a model, and the name of that model. */
import { useMutation } from '@tanstack/react-query';
import { useEditing } from '../canvas/context.ts';
import { editorWords } from '../words-editor.ts';
import { ClientAddress } from './client-address.tsx';

const { openai: said } = editorWords;

export function OpenAiSettings() {
  const { client, connection } = useEditing();
  const check = useMutation({
    mutationFn: async () => {
      const { data } = await client.request('GET', '/openai/models');
      return data.find((model) => model['workflow_id'] === connection.workflowId)?.id ?? null;
    },
  });
  return (
    <details>
      <summary>{said.title}</summary>
      <div className="wc-stack">
        <p className="wc-hint">{said.why}</p>
        <ClientAddress path="/openai" check={check} said={said} />
      </div>
    </details>
  );
}
