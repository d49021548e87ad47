/** The parts of undici that send requests. They take longer to load than most commands that may ask a catalogue and mostly do not. */
export { default as request } from 'undici/lib/api/api-request.js';
export { default as Pool } from 'undici/lib/dispatcher/pool.js';
