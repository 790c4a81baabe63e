<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.5" name="valley" tilewidth="56" tileheight="64" tilecount="4" columns="4">
 <image source="valley.png" width="224" height="64"/>
 <terraintypes>
  <terrain name="Plain" tile="0"/>
  <terrain name="Woods" tile="1"/>
  <terrain name="Water" tile="2"/>
 </terraintypes>
 <tile id="0" terrain="0,0,0,0"/>
 <tile id="1" terrain="1,1,1,1"/>
 <tile id="2" terrain="2,2,2,2"/>
 <tile id="3"><properties><property name="Type">Bridge</property></properties></tile>
</tileset>
