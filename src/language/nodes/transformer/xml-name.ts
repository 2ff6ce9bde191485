/** Names of elements and attributes of XML: letters, digits and `.`, `-`, `_`, with at most one prefix (Namespaces in XML 1.0, section 4). */
export const XML_NAME = /^[\p{L}_][\p{L}\p{N}._-]{0,200}(?::[\p{L}_][\p{L}\p{N}._-]{0,200})?$/u;
