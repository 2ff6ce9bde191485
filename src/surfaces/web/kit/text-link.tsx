/** A link to another page of the application, as anchors look. */
import { Anchor } from '@mantine/core';
import { createLink } from '@tanstack/react-router';

export const TextLink = createLink(Anchor<'a'>);
