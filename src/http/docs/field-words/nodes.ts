/** Words for the configs of nodes, by kind; see recurring.ts for how keys are read. */

const NODE_TYPES = [
  'Llm',
  'Tool',
  'Agent',
  'Function',
  'Conditional',
  'Interrupt',
  'Transformer',
  'Guardrails',
  'Knowledge',
];

export const NODE_WORDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    NODE_TYPES.map((type) => [`${type}Node.config`, 'What the node does; templates in it are rendered']),
  ),

  // Models: llm and agent.
  messages: 'What the model is told, in this order; what the thread remembers stands behind the system words',
  'messages.content': 'A text, or a template of one',
  parameters: 'How the model answers; null: as its provider has it',
  temperature: 'How much the answers vary, 0 to 2; null: as the provider has it',
  max_output_tokens: 'How many tokens the answer may have; null: as the provider has it',
  reasoning_effort: "How much the model thinks first, in its provider's word; null: as the provider has it",
  response_format: 'What the answer must be; null: any text',
  'response_format.type': 'Text, any JSON object, or JSON by `schema`',
  'response_format.strict': 'Asks the provider to hold the model to the schema',
  memory: 'What the model remembers of the thread of the run; null: nothing',
  'memory.mode': 'Nothing, all messages of the thread up to 1,000, or the newest of them',
  max_messages: 'With `window`, how many messages; null: 20',
  max_tokens: 'With `window`, the tokens that the messages may have together, by estimate; null: any number',
  credential_id: 'Id of the credential with the account to use; null: the managed model of the deployment',
  'HttpToolConfig.credential_id': 'Id of the credential to send with the request; null: none',
  'IntegrationToolConfig.credential_id': 'Id of the credential with the account to use; null: none',
  'McpToolConfig.credential_id': 'Id of the credential with the account to use; null: none',
  'LlmNodeConfig.stream': 'Whether tokens are told as `token` frames while they come',
  'AgentNodeConfig.stream': 'Whether tokens are told as `token` frames while they come',

  // Agents.
  tools: 'What the model may call; null: nothing',
  max_iterations: 'How many times the model is called at most',
  max_tool_calls: 'How many tool calls there may be in all',
  parallel_tool_calls: 'Whether the model may ask for several calls at once',
  'AgentToolOptions.kind': 'What kind of tool it is',
  'AgentToolOptions.name': 'What the model calls it; null: by what it is, where that has a name',
  'AgentToolOptions.description': 'What the model is told about it; null: what is known of the tool itself',
  'AgentToolOptions.usage':
    '`auto`: the model may call it; `force`: it must be called once; `none`: it is not offered',
  'AgentToolOptions.parameters': 'Fixed arguments, which the model neither sees nor changes',
  input_schema: 'JSON Schema of the arguments; null: what is known of the tool itself',
  approval: 'Whether people are asked before each call; null: never',
  approval_timeout_seconds:
    'After how many seconds without an answer the call counts as rejected; null: never',
  approval_assignees: 'Who may answer; null, or nobody named: anybody of the organization',

  // Tools.
  'HttpToolConfig.url': 'Address with templates in its path and query; each value stays one piece of it',
  headers: 'Headers of the request by name; values may be templates',
  'HttpToolConfig.query': 'Parameters of the query by name; values may be templates',
  body: 'Body of the request, built as the header `content-type` says: JSON, JSON lines, a form, multipart, XML; without one as JSON unless it is a text; null: none',
  fail_on_status: 'From and to which status an answer is a failure; null: 400 to 599',
  'HttpToolConfig.effect':
    'Of POST and PATCH: whether the request may be repeated when its outcome is not known; null: it may not',
  'HttpToolConfig.idempotent':
    'The service behind the address tells repetitions by their `Idempotency-Key`, so the request may be repeated',
  'IntegrationToolConfig.integration': 'Name of the integration in the catalog',
  integration_version: 'The version of the integration that this was made for; null: any',
  'IntegrationToolConfig.action': 'Name of the action in the catalog',
  'IntegrationToolConfig.parameters': 'Parameters of the action by name; values may be templates',
  server_url: "Address of the MCP server; null: that of the credential's account",
  tool: "Name of the server's tool",
  'McpToolConfig.arguments': 'Arguments of the tool by name; values may be templates',
  fingerprint:
    'SHA-256, in hex, of what the server says of the tool: the call fails when that has changed; null: not checked',
  'WorkflowToolConfig.workflow_id': 'Id of the workflow to run as a child',
  deployment: '`live`, the version of a deployment, or its id',
  'WorkflowToolConfig.input': 'Input of the child; values may be templates',
  wait: 'Whether the node waits for the child to end, a day at most',

  // Functions.
  language: 'Only JavaScript',
  'FunctionNodeConfig.code':
    'An ES module whose default export is called with `arguments`; never read for templates',
  'FunctionNodeConfig.arguments': 'What the function is called with; values may be templates',
  'FunctionNodeConfig.output_schema': 'JSON Schema that the returned value must fit; null: any value',
  limits: 'What one call may use; null: the defaults',
  'limits.timeout_ms': 'Time of one call, in milliseconds',
  memory_mb: 'Memory of one call, in MiB',
  network: 'Functions have none',

  // Conditionals.
  cases: 'What may be selected, in this order; the first case that holds wins',
  'cases.id': 'The handle that the case selects',
  'cases.label': 'Shown to people',
  'cases.description': 'When the model shall choose it',
  'RulesConditionalConfig.default': 'The handle when no case holds',
  'LlmConditionalConfig.default': 'The handle when the model chooses none of the cases',
  'LlmConditionalConfig.input': 'What the model judges; may be a template',

  // Interrupts.
  'ApprovalInterruptConfig.actions': 'What may be answered',
  'ApprovalInterruptConfig.title': 'The question in a line',
  'InputInterruptConfig.title': 'The question in a line',
  'ApprovalInterruptConfig.message': 'More about the question',
  'InputInterruptConfig.message': 'More about the question',
  'actions.id': 'The handle that this answer selects',
  'actions.label': 'Shown to people; the id when left out',
  payload: 'What whoever answers shall see, or a template of it; null: nothing',
  form: "JSON Schema of the answer's data; null: any data",
  assignees: 'Who may answer; null, or nobody named: anybody of the organization',
  required_responses: 'How many answers it takes; only 1 is supported',
  timeout_seconds: 'How long to wait for an answer, in seconds; null: for ever',
  on_timeout:
    'Without an answer in time: the node fails, takes the handle `timeout`, or `default_response` answers',
  default_response: 'The answer when nobody has answered in time; null: none',
  'default_response.action': 'The action that it stands for; null: none',
  'default_response.data': 'The data of the answer; null: none',
  'WaitInterruptConfig.duration_seconds': 'How long to wait, in seconds, or a template of it; a year at most',
  until: 'Until when to wait, ISO 8601, or a template of it; a moment that is past is no wait',

  // Transformers.
  'MapTransformerConfig.fields': 'The fields of the output; values may be templates',
  source: 'The array, or a template of it',
  filter: 'Which items are kept, seen as `item` and `index`; null: all of them',
  sort: 'By what the items are sorted, the first thing first; null: not at all',
  by: 'Path into the item; empty: the item itself',
  order: 'Up or down; null comes last in both',
  'ListTransformerConfig.limit': 'How many items are kept; null: all of them',
  select: 'What is made of each item, seen as `item` and `index`; null: the item itself',
  template: 'A text with templates',
  parse_as:
    'Whether the rendered text is the output, or the JSON that it holds: a value put into JSON stays a value',
  sources: 'What is merged, in this order; values may be templates',
  'MergeTransformerConfig.strategy':
    'The first that is not null; arrays one behind the other; objects into each other, the later one first',

  // Guardrails.
  'GuardrailsNodeConfig.input': 'The text that is checked, or a template of it',
  context: 'What the text has to be grounded in; null: what the knowledge bases of the check say',
  'GuardrailsNodeConfig.checks': 'What is checked; a model is asked only about what the others let pass',
  on_check_error: 'A check that could not be made fails the node',
  'GuardrailsNodeConfig.provider': 'Provider of the model that judges; null where no check needs one',
  'GuardrailsNodeConfig.model': 'The model that judges; null where no check needs one',
  action: 'What a finding does: blocks the text, is masked in it, or is only told',
  entities: 'Which kinds of personal data are looked for',
  keywords: 'Words and phrases that are looked for',
  case_sensitive: 'Whether capitals make a difference',
  pattern: 'The pattern, in RE2',
  expect: 'Whether the text must match, or must not',
  'UrlsGuardrailCheck.allowed_hosts': 'Hosts that URLs may lead to; empty: none',
  allowed_schemes: 'Schemes that URLs may have',
  allow_subdomains: 'Whether the hosts below an allowed one are allowed, too',
  max: 'How many characters the text may have',
  categories: 'What counts as harmful; empty: the usual kinds of harm',
  threshold: 'From which score on, 0 to 1, it is a finding; of `grounding`, below which',
  topics: 'What the text may be about',
  instructions: 'A description; a text that meets it is a finding',
  'GroundingGuardrailCheck.knowledge_base_ids':
    "Ids of the bases that are searched for the text; left out, the node's `context` counts",
};
