'use strict';
(() => {
  const form = document.getElementById('filters');
  const scenarios = [...document.querySelectorAll('details.scenario')].map((element) => ({
    element,
    outcome: element.dataset.outcome,
    ids: element.dataset.requirements.split(' '),
    text: element.firstElementChild.textContent.toLowerCase(),
  }));
  const groups = [...document.querySelectorAll('section.g')];
  const folded = [...document.querySelectorAll('details.f')];
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
    for (const group of groups) {
      const here = group.querySelectorAll('details.scenario').length;
      const left = group.querySelectorAll('details.scenario:not([hidden])').length;
      group.hidden = left === 0;
      const number = group.querySelector(':scope > h3 .n');
      if (number) number.textContent = left === here ? `${here}` : `${left} of ${here}`;
    }
    // What is looked for is not folded away.
    for (const feature of folded) feature.open = Boolean(outcomes.length || id || words.length);
    shown.textContent = `${count} of ${scenarios.length} shown`;
    nothing.hidden = count > 0;
  };
  const keep = () => {
    const state = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (value) state.append(name, value);
    history.replaceState(null, '', `#${state}`);
    apply();
  };
  // The body of a scenario is packed until the scenario is opened. Blocks are unpacked once.
  const blocks = new Map();
  const unpack = async (number) => {
    const packed = document.getElementById(`z${number}`);
    const bytes = Uint8Array.from(atob(packed.textContent), (one) => one.charCodeAt(0));
    const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
    return (await new Response(inflated).text()).split('\0');
  };
  const load = async (scenario) => {
    const place = scenario.dataset.packed;
    if (!place) return;
    const [block, body] = place.split('.').map(Number);
    if (!blocks.has(block)) blocks.set(block, unpack(block));
    try {
      const bodies = await blocks.get(block);
      // Another opening of the same scenario may have been quicker.
      if (!scenario.dataset.packed) return;
      delete scenario.dataset.packed;
      scenario.lastElementChild.innerHTML = bodies[body];
    } catch (error) {
      scenario.lastElementChild.textContent = `This browser cannot unpack it: ${error}`;
    }
  };
  // A link leads to something that may be folded away, filtered out or packed.
  const reveal = async () => {
    const id = decodeURIComponent(location.hash.slice(1));
    const message = /^m(\d+)\.\d+$/.exec(id);
    if (message) {
      const scenario = document.getElementById(`s${message[1]}`);
      if (scenario) await load(scenario);
    }
    const target = document.getElementById(id);
    if (!target) return;
    const scenario = target.closest('details.scenario');
    if (scenario && scenario.hidden) { form.reset(); apply(); }
    for (let at = target; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
    if (scenario) await load(scenario);
    // The name of the scenario belongs to its body.
    const shown = target.matches('.body') ? scenario : target;
    shown.scrollIntoView();
    // What comes into sight is laid out then, and may move it.
    requestAnimationFrame(() => requestAnimationFrame(() => shown.scrollIntoView()));
  };
  const go = () => {
    if (location.hash.includes('=')) {
      read();
      apply();
      document.getElementById('scenarios').scrollIntoView();
    } else if (location.hash.length > 1) reveal();
  };

  document.addEventListener('toggle', (event) => {
    if (event.target.matches('details.scenario[open]')) load(event.target);
  }, true);

  form.hidden = false;
  // What a link leads to stands below the bar, which has more lines on a narrower page.
  const measure = () => {
    const height = getComputedStyle(form).position === 'sticky' ? form.offsetHeight : 0;
    document.documentElement.style.setProperty('--bar', `${height}px`);
  };
  measure();
  new ResizeObserver(measure).observe(form);
  form.addEventListener('input', keep);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', () => setTimeout(keep));
  addEventListener('hashchange', go);
  apply();
  go();
})();
