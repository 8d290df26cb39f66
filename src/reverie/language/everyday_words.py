"""English words of every day that name something, beside those of ``label_words`` that name nothing: whose home, body,
food, day and weather it is, they don't say.
"""

from __future__ import annotations

_LISTED = """
actual afternoon air animal answer apartment apple area arm assistant baby bag ball bank bar bathroom beach beautiful
bed bedroom beer bike bill bird birthday bit black blue boat body book boss bottle bottom box boy bread breakfast
bridge brother brown building bus business busy cake camera car card case cat center centre certain chair cheap child
children church city class clean clear clothes coat coffee cold color colour company computer cook cooking cost
country course cream cup dad daily dance dark date daughter dead deep desk detail dinner dish doctor dog door dress
drink drive driving dry ear early earth east eat egg email end evening event example exercise eye face fact fall
family fast father favorite favourite feel feet film finger fire fish floor flower follow food foot forest form free
fresh friend fruit funny future game garden general girl glass gold green grey ground group hair hat head health heart
heavy help hill holiday home hospital hot hotel hour house hungry husband ice include information island job juice key
kid kind kitchen lake land language later laugh law leaf leg lesson letter level library light list listen lunch mail
main market meal meat medicine member milk mind mom money moon morning mother mountain mouth movie mr mrs ms mum
museum music name neck neighbor neighbour news noise north nose note noted number office oil orange page paint paper
parent park party pen pencil phone photo picture plan plant plate point pool poor power present price problem program
project purple question quiet rain reason red restaurant result rice rich right ring river road rock room rule salt
sand school sea season seat second sense service set shirt shoe shop shopping short shower sick sign sister situation
size skin sky sleep slow smile smoke snow soft son song soup south spring star state station step stone store storm
story street strong student stuff sugar summer sun sweet swim system table tall tea teacher team term thing ticket
tired tooth topic town train travel tree trip truck uncle update user warm wash water way weather wedding weight west
wet white wife wind window wine winter woman women wood word world wrong yellow
"""
EVERYDAY = frozenset(_LISTED.split())
