/** The words for the options of a choice. */
const NAMES: Readonly<Record<string, string>> = {
  http: 'HTTP',
  mcp: 'MCP',
  llm: 'A model',
  json: 'JSON',
  json_schema: 'JSON Schema',
  pii: 'Personal data',
  urls: 'URLs',
  IP_ADDRESS: 'IP address',
  SSN: 'SSN',
  IBAN: 'IBAN',
  EMAIL: 'Email address',
  PHONE: 'Phone number',
  CREDIT_CARD: 'Credit card number',
  first_non_null: 'First that is not null',
};

/** Names an option: `max_length` is `Max length`, `GET` stays as it is. */
export function nameOption(option: string): string {
  if (Object.hasOwn(NAMES, option)) return NAMES[option] ?? option;
  const text = option.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
