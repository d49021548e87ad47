/* Fields for names: a part of a name is enough, arrow keys choose, Enter takes the chosen name. */

/** Fetches no faster than a person types. */
const PAUSE_MS = 120;

for (const input of document.querySelectorAll('input[data-names]')) offerNames(input);

function offerNames(input) {
  const list = document.createElement('ul');
  list.id = `${input.id}-choices`;
  list.className = 'choices';
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', input.dataset.label);
  list.hidden = true;
  input.after(list);
  input.removeAttribute('list');
  for (const [name, value] of [
    ['role', 'combobox'],
    ['aria-autocomplete', 'list'],
    ['aria-expanded', 'false'],
    ['aria-controls', list.id],
  ])
    input.setAttribute(name, value);

  let asked = 0;
  let timer;
  /** The part of a name that the shown choices are for. */
  let shownFor = '';
  const typedPart = () => input.value.split(',').at(-1).trim();
  const options = () => [...list.children];
  const chosen = () => list.querySelector('[aria-selected="true"]');

  const close = () => {
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  const choose = (option) => {
    for (const each of options()) each.setAttribute('aria-selected', String(each === option));
    input.setAttribute('aria-activedescendant', option.id);
    option.scrollIntoView({ block: 'nearest' });
  };
  const take = (option) => {
    const before = input.value.split(',').slice(0, -1);
    input.value = [...before, option.dataset.value].join(', ');
    close();
    input.form.requestSubmit();
  };
  const show = (choices) => {
    list.replaceChildren(
      ...choices.map(({ value, label, note }, index) => {
        const option = document.createElement('li');
        option.id = `${list.id}-${index}`;
        option.dataset.value = value;
        option.setAttribute('role', 'option');
        option.setAttribute('aria-selected', 'false');
        option.textContent = label;
        if (note) option.append(Object.assign(document.createElement('small'), { textContent: ` ${note}` }));
        return option;
      }),
    );
    if (choices.length === 0) return close();
    list.hidden = false;
    input.setAttribute('aria-expanded', 'true');
    choose(list.firstElementChild);
  };
  const ask = async () => {
    const part = typedPart();
    const turn = ++asked;
    if (part === '') return close();
    const address = `/names?${new URLSearchParams({ of: input.name, part })}`;
    const choices = await (await fetch(address)).json();
    if (turn !== asked || document.activeElement !== input) return;
    shownFor = part;
    show(choices);
  };

  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(ask, PAUSE_MS);
  });
  input.addEventListener('blur', close);
  list.addEventListener('mousedown', (press) => press.preventDefault());
  list.addEventListener('click', ({ target }) => {
    const option = target.closest('[role="option"]');
    if (option) take(option);
  });
  input.addEventListener('keydown', (key) => {
    // What was typed faster than the names came is sent as it is, and the answer offers names.
    if (list.hidden || (key.key === 'Enter' && shownFor !== typedPart())) {
      if (key.key === 'Enter') asked++;
      return;
    }
    const all = options();
    const at = all.indexOf(chosen());
    if (key.key === 'ArrowDown' || key.key === 'ArrowUp') {
      key.preventDefault();
      choose(all[(at + (key.key === 'ArrowDown' ? 1 : all.length - 1)) % all.length]);
    } else if (key.key === 'Enter') {
      key.preventDefault();
      take(chosen());
    } else if (key.key === 'Escape') {
      key.preventDefault();
      key.stopPropagation();
      close();
    }
  });
}
