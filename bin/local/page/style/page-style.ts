import { baseStyle } from './base-style.ts';
import { chatStyle } from './chat-style.ts';
import { colourStyle } from './colour-style.ts';
import { controlStyle } from './control-style.ts';
import { documentStyle } from './document-style.ts';
import { eventStyle } from './event-style.ts';
import { filterStyle } from './filter-style.ts';
import { headerStyle } from './header-style.ts';
import { printStyle } from './print-style.ts';
import { ratingStyle } from './rating-style.ts';
import { screenStyle } from './screen-style.ts';
import { streamStyle } from './stream-style.ts';
import { timelineStyle } from './timeline-style.ts';

/** The style sheet of all views. A later part may change what an earlier one says. */
export const pageStyle = [
  colourStyle,
  baseStyle,
  controlStyle,
  ratingStyle,
  headerStyle,
  streamStyle,
  filterStyle,
  eventStyle,
  chatStyle,
  documentStyle,
  timelineStyle,
  screenStyle,
  printStyle,
].join('');
