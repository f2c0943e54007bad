'use strict';
(() => {
  const form = document.getElementById('filters');
  const scenarios = [...document.querySelectorAll('details.s')].map((element) => ({
    element,
    outcome: element.dataset.o,
    ids: element.dataset.r.split(' '),
    text: element.firstElementChild.textContent.toLowerCase(),
  }));
  const groups = [...document.querySelectorAll('section.g')];
  const shown = document.getElementById('shown');
  const nothing = document.getElementById('nothing');

  // The state of the filters is in the address, so that a view can be kept and sent.
  const read = () => {
    const state = new URLSearchParams(location.hash.includes('=') ? location.hash.slice(1) : '');
    const outcomes = state.getAll('outcome');
    for (const box of form.querySelectorAll('[name=outcome]')) box.checked = outcomes.includes(box.value);
    form.elements.requirement.value = state.get('requirement') || '';
    form.elements.text.value = state.get('text') || '';
  };
  const apply = () => {
    const outcomes = [...form.querySelectorAll('[name=outcome]:checked')].map((box) => box.value);
    const id = form.elements.requirement.value.trim().toUpperCase();
    const words = form.elements.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const { element, outcome, ids, text } of scenarios) {
      const fits = (!outcomes.length || outcomes.includes(outcome))
        && (!id || ids.includes(id)) && words.every((word) => text.includes(word));
      element.hidden = !fits;
      if (fits) count += 1;
    }
    for (const group of groups) group.hidden = !group.querySelector('details.s:not([hidden])');
    shown.textContent = `${count} of ${scenarios.length} shown`;
    nothing.hidden = count > 0;
  };
  const keep = () => {
    const state = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (value) state.append(name, value);
    history.replaceState(null, '', `#${state}`);
    apply();
  };
  // A link leads to something that may be folded away or filtered out.
  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target.closest('details.s[hidden]')) { form.reset(); apply(); }
    for (let at = target; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
    target.scrollIntoView();
  };
  const go = () => {
    if (location.hash.includes('=')) {
      read();
      apply();
      document.getElementById('scenarios').scrollIntoView();
    } else if (location.hash.length > 1) reveal();
  };

  form.hidden = false;
  form.addEventListener('input', keep);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', () => setTimeout(keep));
  addEventListener('hashchange', go);
  apply();
  go();
})();
